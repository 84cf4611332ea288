import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fakeServer, refusal } from "./fixtures/fake-server.ts";
import { runCli } from "./fixtures/run-cli.ts";
import { SESSION } from "./fixtures/sample.ts";

test("refusals have their exit codes; with --json the problem is on standard error", async (t) => {
  const server = await fakeServer(t, {
    showSession: () => {
      throw refusal("session_not_found", "There is none.");
    },
    pauseSession: () => {
      throw refusal("session_ended");
    },
    cancelTurn: () => {
      throw refusal("wrong_state");
    },
    listSessions: () => {
      throw refusal("unauthorized");
    },
  });
  const given = { url: server.url };
  const missing = await runCli(
    t,
    ["session", "show", SESSION, "--json"],
    given,
  );
  assert.equal(missing.code, 3);
  assert.equal(missing.stdout, "");
  assert.equal(JSON.parse(missing.stderr).code, "session_not_found");
  assert.equal(JSON.parse(missing.stderr).detail, "There is none.");
  const ended = await runCli(t, ["session", "pause", SESSION], given);
  assert.deepEqual([ended.code, ended.stderr], [4, "reprise: because\n"]);
  assert.equal(
    (await runCli(t, ["session", "cancel", SESSION], given)).code,
    4,
  );
  const unauthorized = await runCli(t, ["session", "list"], given);
  assert.equal(unauthorized.code, 1);
  assert.match(unauthorized.stderr, /REPRISE_TOKEN/);
});

test("without a server: exit 5, and how to start one", async (t) => {
  const server = await fakeServer(t, {});
  server.close();
  const { code, stdout, stderr } = await runCli(t, ["session", "list"], {
    url: server.url,
  });
  assert.equal(code, 5);
  assert.equal(stdout, "");
  assert.match(stderr, /start it with `reprise up`/i);
});

test("the server of the home is found, with its token", async (t) => {
  const server = await fakeServer(t, {
    listTasks: () => ({ tasks: [], next: null }),
  });
  const home = await mkdtemp(join(tmpdir(), "reprise-home-"));
  t.after(() => rm(home, { recursive: true }));
  await writeFile(join(home, "token"), "from-home\n");
  await writeFile(
    join(home, "server.json"),
    JSON.stringify({ url: server.url, pid: 1 }),
  );
  const env = { REPRISE_HOME: home, REPRISE_TOKEN: "" };
  assert.equal((await runCli(t, ["task", "list"], { env })).code, 0);
  assert.equal(server.asked[0]?.token, "from-home");
});
