import assert from "node:assert/strict";
import { connect } from "../../src/client/client.ts";
import type { Event } from "../../src/contract/event/event.ts";
import { currentResult, turnResult } from "../../src/client/turn.ts";
import { seenUntil } from "./house.ts";
import { type Scene, sharedHouse } from "./shared-house.ts";

const test = sharedHouse({
  agents: { broken: { command: ["/bin/false"] } },
});

test("[SDK-1] [SDK-2] [SDK-3] a turn that completed tells its last words and what it changed", async ({
  client,
  workspace,
}) => {
  const session = await client.createSession({ cwd: workspace });
  const prompt = await client.queuePrompt(session.id, {
    text: "hello\nwrite a.txt one\nrecall nothing",
  });
  const result = await turnResult(client, session.id, prompt.id);
  assert.equal(result.status, "completed");
  assert.equal(result.turn, 1);
  assert.equal(result.stop_reason, "end_turn");
  assert.equal(result.error, null);
  assert.equal(result.resume, null);
  assert.match(result.text, /nothing is unknown/);
  assert.doesNotMatch(result.text, /You said/);
  assert.deepEqual(result.files, [{ path: "a.txt", change: "added" }]);
  assert.deepEqual(await currentResult(client, session.id, prompt.id), result);
  const next = await client.queuePrompt(session.id, {
    text: "write a.txt two",
  });
  const { text, files } = await turnResult(client, session.id, next.id);
  assert.notEqual(text, "");
  assert.deepEqual(files, [{ path: "a.txt", change: "modified" }]);
  assert.deepEqual(
    await currentResult(client, session.id, prompt.id),
    result,
    "a later turn changes nothing about it",
  );
});

test("[SDK-1] a question ends the wait, its answer lets the turn go on", async ({
  client,
  workspace,
}) => {
  const session = await client.createSession({ cwd: workspace });
  const prompt = await client.queuePrompt(session.id, { text: "ask me" });
  const asked = await turnResult(client, session.id, prompt.id);
  assert.equal(asked.status, "needs_permission");
  const [question] = asked.pending_permissions;
  const option = question?.options.find(({ kind }) => kind === "allow_once");
  assert.ok(question !== undefined && option !== undefined);
  await client.answerPermission(session.id, question.id, option.id);
  const { status } = await turnResult(client, session.id, prompt.id);
  assert.equal(status, "completed");
});

test("[SDK-1] [SDK-4] [SDK-5] an interrupted turn waits for a decision; what continues it is its result", async ({
  client,
  workspace,
}) => {
  const session = await client.createSession({ cwd: workspace });
  const prompt = await client.queuePrompt(session.id, {
    text: "write a.txt one\ncrash",
  });
  const cut = await turnResult(client, session.id, prompt.id);
  assert.equal(cut.status, "interrupted");
  assert.notEqual(cut.error?.message, "");
  assert.deepEqual(cut.files, [{ path: "a.txt", change: "added" }]);
  await client.resolvePrompt(session.id, prompt.id, "continue");
  const { status, prompt_id, resume, files, turn } = await turnResult(
    client,
    session.id,
    prompt.id,
  );
  assert.equal(status, "completed");
  assert.notEqual(prompt_id, prompt.id);
  assert.equal(turn, 2);
  assert.equal(resume?.grade, "native");
  assert.deepEqual(files, [{ path: "a.txt", change: "added" }]);
});

test("[SDK-1] [SDK-4] a session that continues by itself is waited for", async ({
  client,
  workspace,
}) => {
  const session = await client.createSession({
    cwd: workspace,
    on_interrupt: "continue",
  });
  const prompt = await client.queuePrompt(session.id, { text: "crash" });
  const { status, turn } = await turnResult(client, session.id, prompt.id);
  assert.deepEqual({ status, turn }, { status: "completed", turn: 2 });
});

test("[SDK-14] a turn that a quota cut off is waited for where the session goes on with it, at its time or with another agent", async ({
  client,
  workspace,
}) => {
  for (const on_quota of ["continue", "handoff:demo-inject"]) {
    const session = await client.createSession({
      cwd: workspace,
      on_quota,
      checkpoints: false,
    });
    const prompt = await client.queuePrompt(session.id, { text: "quota 2" });
    const { status, turn, prompt_id } = await turnResult(
      client,
      session.id,
      prompt.id,
    );
    assert.deepEqual({ status, turn }, { status: "completed", turn: 2 });
    assert.notEqual(prompt_id, prompt.id);
  }
});

test("[SDK-14] it says `working` while it waits for the quota, and `interrupted` once nobody goes on with it", async ({
  client,
  workspace,
}) => {
  const session = await client.createSession({
    cwd: workspace,
    on_quota: "continue",
  });
  const prompt = await client.queuePrompt(session.id, { text: "quota 3600" });
  await seenUntil(client, session.id, isCut);
  const { status } = await currentResult(client, session.id, prompt.id);
  assert.equal(status, "working");
  const wait = turnResult(client, session.id, prompt.id);
  await client.changeSession(session.id, { on_quota: "wait" });
  assert.equal((await wait).status, "interrupted");
});

test("[SDK-15] a budget that is used up ends the wait for what is queued, and is the reason of the turn that it ended", async ({
  house,
  client,
  workspace,
}) => {
  const latch = house.latch();
  const session = await client.createSession({
    cwd: workspace,
    budget: { turns: 1 },
  });
  const first = await client.queuePrompt(session.id, {
    text: `run ${latch.wait}`,
  });
  const second = await client.queuePrompt(session.id, { text: "hello" });
  const wait = turnResult(client, session.id, second.id);
  latch.open();
  const left = await wait;
  assert.deepEqual(
    [left.status, left.error?.code],
    ["interrupted", "budget_reached"],
  );
  assert.match(left.error?.message ?? "", /1 of 1 turns.*Raise the budget/);
  assert.equal((await turnResult(client, session.id, first.id)).error, null);
  await client.changeSession(session.id, { budget: { turns: 2 } });
  const { status } = await turnResult(client, session.id, second.id);
  assert.equal(status, "completed");

  const short = await client.createSession({
    cwd: workspace,
    budget: { minutes: 0.01 },
  });
  const prompt = await client.queuePrompt(short.id, { text: "sleep 600000" });
  const ended = await turnResult(client, short.id, prompt.id);
  assert.deepEqual(
    [ended.status, ended.stop_reason, ended.error?.code],
    ["cancelled", "budget", "budget_reached"],
  );
});

test("[SDK-1] a prompt or a turn that is cancelled, and one that a pause left waiting", async ({
  house,
  client,
  workspace,
}) => {
  const session = await client.createSession({ cwd: workspace });
  const running = await client.queuePrompt(session.id, {
    text: `run ${house.latch().wait}`,
  });
  const waiting = await client.queuePrompt(session.id, { text: "later" });
  await client.cancelPrompt(session.id, waiting.id);
  const withdrawn = await turnResult(client, session.id, waiting.id);
  assert.deepEqual(
    { status: withdrawn.status, turn: withdrawn.turn },
    { status: "cancelled", turn: null },
  );
  await seenUntil(client, session.id, isDelivered);
  const wait = turnResult(client, session.id, running.id);
  await client.cancelTurn(session.id);
  const { status, stop_reason } = await wait;
  assert.deepEqual(
    { status, stop_reason },
    { status: "cancelled", stop_reason: "cancelled" },
  );

  const { last_seq } = await client.showSession(session.id);
  const cut = await client.queuePrompt(session.id, {
    text: `run ${house.latch().wait}`,
  });
  const left = await client.queuePrompt(session.id, { text: "later" });
  await seenUntil(client, session.id, isDelivered, last_seq);
  await client.pauseSession(session.id);
  for (const { id } of [cut, left]) {
    const result = await turnResult(client, session.id, id);
    assert.equal(result.status, "interrupted");
    assert.notEqual(result.error?.message, "");
  }
});

test("[SDK-1] an agent that cannot be started fails the prompt, and says why", async ({
  client,
  workspace,
}) => {
  const session = await client.createSession({
    cwd: workspace,
    agent: "broken",
  });
  const prompt = await client.queuePrompt(session.id, { text: "hello" });
  const { status, error, turn } = await turnResult(
    client,
    session.id,
    prompt.id,
  );
  assert.deepEqual({ status, turn }, { status: "failed", turn: null });
  assert.notEqual(error?.message, "");
});

test("[SDK-6] waiting outlives the server", async (scene) => {
  const { house, workspace } = scene;
  const client = wandering(scene);
  const latch = house.latch();
  const session = await client.createSession({ cwd: workspace });
  const prompt = await client.queuePrompt(session.id, {
    text: `run ${latch.wait}\nrecall x`,
  });
  await seenUntil(client, session.id, isDelivered);
  assert.equal(
    (await currentResult(client, session.id, prompt.id)).status,
    "working",
  );
  const wait = turnResult(client, session.id, prompt.id);
  await scene.server.kill();
  latch.open();
  await scene.up();
  const { status, text } = await wait;
  assert.equal(status, "completed");
  assert.match(text, /x is unknown/);
});

test("[SDK-6] a signal ends the wait, and an unknown prompt is refused", async ({
  house,
  client,
  workspace,
}) => {
  const session = await client.createSession({ cwd: workspace });
  const prompt = await client.queuePrompt(session.id, {
    text: `run ${house.latch().wait}`,
  });
  const stop = new AbortController();
  const wait = turnResult(client, session.id, prompt.id, {
    signal: stop.signal,
  });
  stop.abort(new Error("enough"));
  await assert.rejects(wait, /enough/);
  const unknown = prompt.id.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  await assert.rejects(turnResult(client, session.id, unknown), {
    code: "prompt_not_found",
  });
});

const isCut = ({ type }: Event): boolean => type === "session.turn.interrupted";

const isDelivered = ({ type }: Event): boolean =>
  type === "session.prompt.delivered";

/** A client of whichever server of the scene runs: each has its own port. */
const wandering = (scene: Scene) =>
  connect({
    url: scene.server.url,
    token: scene.server.token,
    fetch: (input, init) => {
      const from = new URL(input instanceof Request ? input.url : input);
      return fetch(
        new URL(from.pathname + from.search, scene.server.url),
        init,
      );
    },
  });

test("[SDK-20] a stand-in that cannot be started is replaced by the next agent, and its turn is the result", async ({
  house,
  client,
  workspace,
}) => {
  const on_quota = "handoff:broken,demo-inject";
  const { id } = await client.createSession({ cwd: workspace, on_quota });
  const prompt = await client.queuePrompt(id, { text: "quota 3600" });
  const result = await turnResult(client, id, prompt.id);
  assert.deepEqual([result.status, result.turn], ["completed", 2]);
  assert.equal((await client.showSession(id)).agent, "demo-inject");
  const { out, code } = await house.cli([
    "session",
    "start",
    "--cwd",
    workspace,
    "--on-quota",
    on_quota,
    "--follow",
    "quota 3600",
  ]);
  assert.equal(code, 0, out);
  assert.match(out, /demo-inject goes on/);
});

test("[SDK-21] what waits in a session in the trash is interrupted, and what was sent again is cancelled", async ({
  client,
  workspace,
}) => {
  const { id } = await client.createSession({ cwd: workspace });
  const first = await client.queuePrompt(id, { text: "quota 3600" });
  const cut = await turnResult(client, id, first.id);
  assert.equal(cut.status, "interrupted");
  await client.resolvePrompt(id, first.id, "resend");
  assert.equal((await currentResult(client, id, first.id)).status, "cancelled");
  await client.endSession(id);

  const waiting = await client.createSession({
    agent: "broken",
    cwd: workspace,
    prompt: "hello",
  });
  const [queued] = waiting.queued_prompts;
  assert.ok(queued !== undefined);
  assert.equal(
    (await turnResult(client, waiting.id, queued.id)).status,
    "failed",
  );
  await client.deleteSession(waiting.id);
  assert.equal(
    (await currentResult(client, waiting.id, queued.id)).status,
    "interrupted",
  );
});
