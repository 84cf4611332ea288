import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeServer } from "../fixtures/fake-server.ts";
import { runCli } from "../fixtures/run-cli.ts";
import { SESSION, sampleSession } from "../fixtures/sample.ts";

test("[API-187] `session list --parent` lists the forks of a session, by its id or the beginning of it", async (t) => {
  const fork = sampleSession({ parent: { session_id: SESSION, turn: 2 } });
  const server = await fakeServer(t, {
    listSessions: ({ query }) => ({
      sessions: query["prefix"] !== undefined ? [sampleSession()] : [fork],
      next: null,
    }),
  });
  const list = (parent: string) =>
    runCli(t, ["session", "list", "--json", "--parent", parent], {
      url: server.url,
    });
  for (const parent of [SESSION, SESSION.slice(4, 10)]) {
    const { code, stdout } = await list(parent);
    assert.equal(code, 0);
    assert.match(stdout, /"turn":2/);
    assert.equal(server.asked.at(-1)?.query["parent"], SESSION);
  }
});

test("[API-187] where there are none, it says so", async (t) => {
  const server = await fakeServer(t, {
    listSessions: () => ({ sessions: [], next: null }),
  });
  const words = ["session", "list", "--parent", SESSION];
  const { code, stdout } = await runCli(t, words, { url: server.url });
  assert.deepEqual(
    [code, stdout.trim()],
    [0, "No session was forked from it."],
  );
});
