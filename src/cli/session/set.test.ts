import assert from "node:assert/strict";
import { test } from "node:test";
import { RepriseError } from "../../contract/problem/problem.ts";
import { fakeServer } from "../fixtures/fake-server.ts";
import { runCli } from "../fixtures/run-cli.ts";
import { SESSION, sampleSession } from "../fixtures/sample.ts";

test("[API-164] `session set` sends what is to be changed, and says when the agent has it", async (t) => {
  const asked: unknown[] = [];
  const server = await fakeServer(t, {
    showSession: () => sampleSession(),
    changeSession: ({ body }) => {
      asked.push(body);
      return sampleSession({ is_agent_running: true });
    },
  });
  const set = (...words: string[]) =>
    runCli(t, ["session", "set", SESSION, ...words], { url: server.url });
  const words = "--mode plan --model m --on-interrupt wait --name n";
  const { code, stdout } = await set(
    ...words.split(" "),
    "--option",
    "effort=high=er",
  );
  assert.equal(code, 0);
  assert.deepEqual(asked, [
    {
      mode: "plan",
      model: "m",
      name: "n",
      on_interrupt: "wait",
      options: { effort: "high=er" },
    },
  ]);
  assert.match(stdout, /mode plan.*effort high=er\. The agent has confirmed/);
  for (const words of [[], ["--option", "effort"], ["--option", "=x"]])
    assert.equal((await set(...words)).code, 2);
  assert.equal(asked.length, 1);
});

test("[API-164] [SES-87] it says when a change waits for the next start", async (t) => {
  let session = sampleSession({ is_agent_running: false });
  const server = await fakeServer(t, {
    showSession: () => session,
    changeSession: () => session,
  });
  const words = ["session", "set", SESSION, "--mode", "plan"];
  const set = () => runCli(t, words, { url: server.url });
  assert.match((await set()).stdout, /applies when the agent is next started/);
  session = sampleSession({ is_agent_running: true, at_next_start: ["mode"] });
  assert.match((await set()).stdout, /started by an older release/);
});

test("[API-164] a refused change is told with the values that the agent offers", async (t) => {
  const server = await fakeServer(t, {
    showSession: () => sampleSession(),
    changeSession: () => {
      throw new RepriseError("restriction_not_held", "No.", {
        state: "RUNNING",
        restriction: {
          what: "mode",
          asked: "x",
          reason: "not_offered",
          valid: ["plan"],
          message: null,
        },
      });
    },
  });
  const words = ["session", "set", SESSION, "--mode", "x"];
  const { code, stderr } = await runCli(t, words, { url: server.url });
  assert.equal(code, 4);
  assert.match(stderr, /one of: --mode plan\n/);
});

test("[API-164] `session show` lists what the agent offers, and what is chosen", async (t) => {
  const choice = (id: string) => ({ id, name: id, description: null });
  const server = await fakeServer(t, {
    showSession: () =>
      sampleSession({
        offered: {
          modes: { current: "work", available: ["work", "plan"].map(choice) },
          options: [],
          models: null,
        },
      }),
  });
  const { stdout } = await runCli(t, ["session", "show", SESSION], {
    url: server.url,
  });
  assert.match(stdout, /offers\s+--mode work\*\|plan/);
});
