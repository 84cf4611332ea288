import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test as testAlone } from "node:test";
import { collect } from "../../src/client/pages.ts";
import {
  TestHouse,
  changedTo,
  root,
  say,
  seenUntil,
  turnEnded,
} from "./house.ts";
import { sharedHouse } from "./shared-house.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";

const program = (name: string) => ({
  command: [process.execPath, join(root, "test/agents", `${name}.ts`)],
});

/** How each agent fails, and what the user reads about it. */
const failing: [agent: string, words: RegExp][] = [
  ["exits-at-once", /exited with code 7/],
  ["wrong-version", /protocol version 99/],
  ["never-answers", /did not answer/],
  ["never-reads", /(did not answer|does not read)/],
  ["needs-login", /(log in|login|authentic)/i],
];

const agents = Object.fromEntries(
  [
    ...failing.map(([agent]) => agent),
    "garbage-first",
    "stops-reading",
    "ignores-sigterm",
    "leaves-process",
    "hostile-text",
    "floods",
  ].map((name) => [name, program(name)]),
);

/** On the agents above. */
const test = sharedHouse({ agents });

testAlone(
  "[P9] an agent that cannot start leaves the session in ERROR with the reason, its prompt waiting and a retry possible",
  async () => {
    await using house = await TestHouse.make({
      agents: { ...agents, ghost: { command: ["no-such-program-anywhere"] } },
      // Shorter than a resume waits for, however slow the machine is.
      start_seconds: Math.min(20, patience(5000) / 1000),
    });
    const { client } = await house.up();
    await assert.rejects(client.createSession({ agent: "ghost" }), {
      code: "agent_not_installed",
      message: /no-such-program-anywhere/,
    });
    await assert.rejects(client.createSession({ agent: "nobody" }), {
      code: "unknown_agent",
    });
    await Promise.all(
      failing.map(async ([agent, words]) => {
        const session = await client.createSession({
          agent,
          cwd: house.workspace,
          prompt: "hello",
        });
        await seenUntil(client, session.id, changedTo("ERROR"));
        await seenUntil(
          client,
          session.id,
          ({ type }) => type === "session.execution.ended",
        );
        const shown = await client.showSession(session.id);
        assert.match(shown.error_message ?? "", words, agent);
        assert.equal(shown.queued_prompts.length, 1);
        assert.deepEqual(
          (await client.sessionStatus(session.id)).resume_reason,
          "error",
        );
        await assert.rejects(client.resumeSession(session.id), {
          code: "resume_failed",
          message: words,
        });
        await assert.rejects(client.pauseSession(session.id), {
          code: "wrong_state",
        });
        assert.equal((await client.endSession(session.id)).state, "COMPLETED");
      }),
    );
  },
);

test("garbage on stdout is shown as a notice and the agent goes on", async ({
  house,
  client,
}) => {
  const session = await client.createSession({
    agent: "garbage-first",
    cwd: house.workspace,
  });
  assert.match(await say(client, session.id, "hello"), /You said: hello/);
  const { messages } = await client.listMessages(session.id);
  assert.ok(messages.some(({ role }) => role === "notice"));
});

test("an agent that stops reading is reported; the prompt is not lost and not sent twice", async ({
  house,
  client,
}) => {
  const session = await client.createSession({
    agent: "stops-reading",
    cwd: house.workspace,
  });
  await seenUntil(client, session.id, changedTo("WAITING_FOR_INPUT"));
  await client.queuePrompt(session.id, { text: "x".repeat(1_000_000) });
  const seen = await seenUntil(
    client,
    session.id,
    (event) =>
      event.type === "session.notice" &&
      event.data.code === "agent_not_reading",
  );
  assert.ok(seen.length > 0);
  assert.equal((await client.pauseSession(session.id)).state, "PAUSED");
});

test("[P4] pausing ends everything an agent started, also what ignores signals or left its process group", async ({
  house,
  client,
}) => {
  for (const agent of ["ignores-sigterm", "leaves-process"]) {
    const cwd = join(house.workspace, agent);
    await mkdir(cwd);
    const session = await client.createSession({ agent, cwd, prompt: "hello" });
    await seenUntil(client, session.id, turnEnded(1));
    const { agent_execution_id } = await client.showSession(session.id);
    assert.equal((await client.pauseSession(session.id)).state, "PAUSED");
    const { markedProcesses } =
      await import("../../src/kit/processes/marked-processes.ts");
    assert.deepEqual(
      await markedProcesses(`REPRISE_EXECUTION=${agent_execution_id}`),
      [],
    );
  }
});

test("hostile text stays text, and a flood arrives whole", async ({
  house,
  client,
}) => {
  const hostile = await client.createSession({
    agent: "hostile-text",
    cwd: house.workspace,
    prompt: "hello",
  });
  await seenUntil(client, hostile.id, turnEnded(1));
  const shown = await house.cli(["session", "messages", hostile.id]);
  assert.equal(shown.code, 0);
  assert.doesNotMatch(
    shown.out.replaceAll("\n", ""),
    /[\p{Cc}\p{Bidi_Control}]/u,
    "nothing but text reaches the terminal",
  );
  const flood = await client.createSession({
    agent: "floods",
    cwd: house.workspace,
    prompt: "hello",
  });
  await seenUntil(client, flood.id, turnEnded(1));
  const said = (await collect(client.allMessages(flood.id))).filter(
    ({ role }) => role === "agent",
  );
  // It is too long for one message: the others say which one they go on with.
  assert.equal(said.map(({ text }) => text).join("").length, 10 * 1024 * 1024);
  assert.deepEqual(
    said.slice(1).map(({ continues }) => continues),
    said.slice(0, -1).map(({ id }) => id),
  );
});

test("the demo agent crashes: the turn is interrupted, what it said is kept, the session comes back on request", async ({
  house,
  client,
}) => {
  const session = await client.createSession({
    cwd: house.workspace,
    prompt: "remember pass=mellon",
  });
  await client.queuePrompt(session.id, { text: "count 5 1\ncrash" });
  const seen = await seenUntil(
    client,
    session.id,
    ({ type }) => type === "session.turn.interrupted",
  );
  assert.ok(seen.length > 0);
  await seenUntil(
    client,
    session.id,
    ({ type }) => type === "session.execution.ended",
  );
  const shown = await client.showSession(session.id);
  assert.equal(shown.state, "WAITING_FOR_INPUT");
  assert.equal(shown.is_agent_running, false);
  assert.equal(shown.unresolved_prompts[0]?.state, "interrupted");
  const status = await client.sessionStatus(session.id);
  assert.deepEqual(
    [status.is_resumable, status.needs_resume, status.resume_reason],
    [true, true, "agent_not_running"],
  );
  assert.equal(
    (await say(client, session.id, "recall pass")).trim(),
    "pass=mellon",
  );
  const log = await readFile(
    join(house.home, "sessions", session.id, "history.jsonl"),
    "utf8",
  );
  assert.ok(log.includes("1\\n2\\n3\\n4\\n5"));
});
