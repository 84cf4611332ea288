import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { fakeBrowser } from "../fixtures/fake-browser.ts";
import { memoryWorld } from "../fixtures/memory-world.ts";
import { main } from "../main.ts";
import { browserIn, openLink } from "./browser.ts";

test("[RUN-22] a browser is opened where a person sees it, and nowhere else", () => {
  const seen = { DISPLAY: ":0" };
  assert.equal(browserIn(seen, "linux"), "xdg-open");
  assert.equal(browserIn({ WAYLAND_DISPLAY: "w" }, "linux"), "xdg-open");
  assert.equal(browserIn({}, "darwin"), "open");
  for (const env of [{}, { DISPLAY: "" }])
    assert.equal(browserIn(env, "linux"), null);
  for (const name of ["CI", "SSH_CONNECTION", "SSH_TTY", "REPRISE_EXECUTION"])
    for (const platform of ["linux", "darwin"] as const)
      assert.equal(browserIn({ ...seen, [name]: "1" }, platform), null, name);
});

test("[RUN-22] a link is one argument, whatever is in it; a program that fails or is not there is told", async (t) => {
  const directory = await folder(t);
  const link = "http://127.0.0.1:1/#token=$(touch x);`y` 'z'";
  const browser = await fakeBrowser(directory);
  assert.equal(await openLink("xdg-open", link, browser.env), true);
  assert.equal(await browser.opened(), link);
  const failing = await fakeBrowser(join(directory, "failing"), 3);
  assert.equal(await openLink("xdg-open", link, failing.env), false);
  assert.equal(await openLink("xdg-open", link, { PATH: directory }), false);
});

const TOKEN = "the-token-of-this-home";

/** `up` with a server that gives out codes, until its first line was printed. */
const upWith = async (
  t: TestContext,
  argv: string[],
  how: { isTerminal: boolean; env: Record<string, string>; home: string },
): Promise<string> => {
  const { isTerminal, env, home } = how;
  await writeFile(join(home, "token"), TOKEN, { mode: 0o600 });
  const server = createServer((request, response) => {
    const isAllowed = request.headers.authorization === `Bearer ${TOKEN}`;
    response.writeHead(isAllowed ? 200 : 401);
    response.end(JSON.stringify({ code: "one-time" }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const { world, out, signal } = memoryWorld();
  const waiting = Promise.withResolvers<void>();
  const ended = main(["up", "--port", "0", ...argv], {
    ...world,
    env,
    out: { ...world.out, isTerminal },
    onSignal: (listen) => {
      waiting.resolve();
      return world.onSignal(listen);
    },
    programs: {
      ...world.programs,
      serve: async () => ({
        url: `http://127.0.0.1:${port}`,
        home,
        recovered: Promise.resolve({ running: 0 }),
        superseded: new Promise<void>(() => undefined),
        homeRemoved: new Promise<void>(() => undefined),
        close: async () => ({ agentsRunning: 0 }),
      }),
    },
  });
  await waiting.promise;
  signal("SIGINT");
  assert.equal(await ended, 0);
  return out().replaceAll(`:${port}`, ":1");
};

test("[RUN-20] [RUN-22] up prints the link with the token on a terminal, and opens one with a code", async (t) => {
  const home = await folder(t);
  const browser = await fakeBrowser(home);
  const terminal = { isTerminal: true, env: browser.env, home };
  const printed = await upWith(t, [], terminal);
  assert.match(
    printed,
    /^Reprise is up: http:\/\/127\.0\.0\.1:1\nThe page: http:\/\/127\.0\.0\.1:1\/#token=the-token-of-this-home\n/,
  );
  assert.match(await browser.opened(), /^http:.*\/#token=one-time$/);
});

test("[RUN-20] [RUN-22] nothing is opened with --no-open, and no token goes into a file", async (t) => {
  const home = await folder(t);
  const browser = await fakeBrowser(home);
  const { env } = browser;
  const quiet = await upWith(t, ["--no-open"], { isTerminal: true, env, home });
  assert.match(quiet, /#token=the-token/);
  const piped = await upWith(t, [], { isTerminal: false, env, home });
  const json = await upWith(t, ["--json"], { isTerminal: true, env, home });
  assert.doesNotMatch(piped + json, /token/);
  assert.equal(browser.wasOpened(), false);
});

const folder = async (t: TestContext): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), "reprise-browser-"));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
};
