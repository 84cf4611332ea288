import assert from "node:assert/strict";
import { test } from "node:test";
import { daemonEnvironment } from "./environment.ts";

test("the daemon inherits what it needs and no more", () => {
  assert.deepEqual(
    daemonEnvironment({
      HOME: "/home/ada",
      LC_ALL: "C.UTF-8",
      USER: "ada",
      TERM: "xterm",
      npm_config_cache: "/x",
      REPRISE_TOKEN: "secret",
      ANTHROPIC_API_KEY: "secret",
      NODE_OPTIONS: "--inspect",
    }),
    { HOME: "/home/ada", LC_ALL: "C.UTF-8", USER: "ada" },
  );
});

test("[LNK-61] what npm puts on PATH for our own script stays behind, once each, and what is the person's stays", () => {
  const npm =
    "/src/reprise/node_modules/.bin:/src/node_modules/.bin:/node_modules/.bin:/lib/node_modules/npm/node-gyp-bin";
  const own =
    "/home/ada/shop/node_modules/.bin:/usr/bin:/src/node_modules/.bin:/bin";
  const script = { npm_package_json: "/src/reprise/package.json" };
  assert.deepEqual(
    daemonEnvironment({
      ...script,
      npm_package_name: "reprise",
      PATH: `${npm}:${own}`,
    }),
    { PATH: own },
  );
  // Another package's script, or none, has started us: what is on PATH is the person's.
  assert.deepEqual(daemonEnvironment({ PATH: own }), { PATH: own });
  assert.deepEqual(
    daemonEnvironment({ ...script, npm_package_name: "shop", PATH: own }),
    { PATH: own },
  );
});
