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

test("what npm puts on PATH stays behind", () => {
  const path =
    "/repo/node_modules/.bin:/node_modules/.bin:/lib/node_modules/npm/node-gyp-bin:/usr/bin:/bin";
  assert.deepEqual(daemonEnvironment({ PATH: path }), {
    PATH: "/usr/bin:/bin",
  });
});
