/** Limits of one prompt and budgets, with an agent that runs. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "../../src/client/client.ts";
import type { Event } from "../../src/contract/event/event.ts";
import type { SessionId } from "../../src/contract/base/id.ts";
import { eventually, patience } from "../../src/kit/fixtures/patience.ts";
import { seenUntil, turnEnded } from "./house.ts";
import { type Scene, sharedHouse } from "./shared-house.ts";

const test = sharedHouse();

const logOf = ({ house }: Scene, id: SessionId, turns: number) =>
  eventually(
    () => readFile(join(house.home, "sessions", id, "session.log"), "utf8"),
    (text) => text.split("TURN COMPLETED").length > turns,
  );

const endOf = async (client: Client, id: SessionId, turn: number) => {
  const seen = await seenUntil(client, id, turnEnded(turn));
  const end = seen.find(turnEnded(turn));
  assert.ok(end?.type === "session.turn.ended");
  return end.data;
};

const isCall = (event: Event): boolean =>
  event.type === "session.message.added" &&
  event.data.message.tool !== undefined;

test("[SES-100] [SES-103] the limits of a prompt hold for its turn, are told to the agent and logged, and are gone with the next prompt", async (scene) => {
  const { client, workspace } = scene;
  const { id } = await client.createSession({
    cwd: workspace,
    permissions: "allow-all",
    prompt: "ask-write first.txt one",
  });
  await seenUntil(client, id, turnEnded(1));
  assert.ok(existsSync(join(workspace, "first.txt")));

  const limits = {
    allowed_tools: ["read", "fetch"],
    disallowed_tools: ["edit"],
  };
  const prompt = await client.queuePrompt(id, {
    text: "ask-write second.txt two",
    limits,
  });
  assert.deepEqual(prompt.limits, limits);
  await endOf(client, id, 2);
  assert.equal(existsSync(join(workspace, "second.txt")), false);
  assert.deepEqual((await client.showPrompt(id, prompt.id)).limits, limits);

  await client.queuePrompt(id, { text: "ask-write third.txt three" });
  await endOf(client, id, 3);
  assert.ok(existsSync(join(workspace, "third.txt")));

  const log = await logOf(scene, id, 3);
  const [, first = "", second = "", third = ""] = log.split(
    "FINAL USER PROMPT (with dynamic restrictions):\n",
  );
  assert.match(first, /^ask-write first\.txt one/);
  assert.match(
    second,
    /^=== TOOLS FOR THIS PROMPT ===\nUse only these tools: read, fetch\. .*\nDo not use these tools: edit\. .*\n=== END OF TOOLS FOR THIS PROMPT ===\n+ask-write second\.txt two\n/,
  );
  assert.match(
    second,
    /DYNAMIC TOOL RESTRICTIONS APPLIED:\nAllowed Tools: 2\nDisallowed Tools: 1\nRestriction Prompt Injected: true\n/,
  );
  assert.match(third, /^ask-write third\.txt three/);
  assert.match(
    third,
    /Allowed Tools: all\nDisallowed Tools: 0\nRestriction Prompt Injected: false/,
  );

  const { messages } = await client.listMessages(id);
  assert.deepEqual(
    messages.flatMap(({ role, text }) => (role === "user" ? [text] : [])),
    [
      "ask-write first.txt one",
      "ask-write second.txt two",
      "ask-write third.txt three",
    ],
  );
});

test("[SES-101] [SES-102] a turn is cancelled at the call after its last one, also where the server was killed meanwhile", async (scene) => {
  const { house, client, workspace } = scene;
  const [first, second] = [house.latch(), house.latch()];
  const { id } = await client.createSession({ cwd: workspace });
  await client.queuePrompt(
    id,
    {
      text: `run ${first.wait}\nrun ${second.wait}\nwrite late.txt late`,
      limits: { max_tool_calls: 1 },
    },
    { key: "limited" },
  );
  await seenUntil(client, id, isCall);
  await scene.server.kill();
  const again = await scene.up();
  first.open();
  const end = await endOf(again.client, id, 1);
  assert.deepEqual(
    [end.outcome, end.stop_reason],
    ["cancelled", "max_tool_calls"],
  );
  assert.equal(existsSync(join(workspace, "late.txt")), false);
  assert.match(
    await logOf(scene, id, 1),
    /Max Tool Calls: 1\n[^]*CANCEL REQUESTED:\nTurn 1\nLimit Reached: max_tool_calls\n/,
  );
  await assert.rejects(
    again.client.queuePrompt(
      id,
      {
        text: `run ${first.wait}\nrun ${second.wait}\nwrite late.txt late`,
        limits: { max_tool_calls: 2 },
      },
      { key: "limited" },
    ),
    { code: "idempotency_conflict" },
  );
});

test("[SES-100] malformed limits are refused before anything is queued", async ({
  client,
  workspace,
}) => {
  const { id } = await client.createSession({ cwd: workspace });
  for (const limits of [
    { allowed_tools: ["Bash("] },
    { max_tool_calls: 0 },
    { max_tool_calls: 1.5 },
    { disallowed_tools: ["\u0001"] },
  ])
    await assert.rejects(client.queuePrompt(id, { text: "go", limits }), {
      code: "invalid_request",
    });
  await assert.rejects(
    client.createSession({ cwd: workspace, limits: { max_tool_calls: 1 } }),
    { code: "invalid_request" },
  );
});

test("[SES-104] [SES-105] a session stops after its last turn, says what to do, and goes on when its budget is raised", async (scene) => {
  const { client, workspace } = scene;
  const { id } = await client.createSession({
    cwd: workspace,
    budget: { turns: 1 },
    prompt: "hello",
  });
  await client.queuePrompt(id, { text: "again" });
  await endOf(client, id, 1);
  await assert.rejects(client.queuePrompt(id, { text: "more" }), {
    code: "budget_reached",
    message: /1 of 1 turns\. Raise it/,
  });
  await scene.server.kill();
  const again = await scene.up();
  const stopped = await again.client.showSession(id);
  assert.equal(stopped.budget?.reached, "turns");
  assert.equal(stopped.queued_prompts.length, 1);
  const raised = await again.client.changeSession(id, {
    budget: { turns: 2 },
  });
  assert.equal(raised.budget?.reached, null);
  await endOf(again.client, id, 2);
  assert.match(
    await logOf(scene, id, 2),
    /BUDGET REACHED:\n1 of 1 turns\n[^]*BUDGET CHANGED:\nturns 2\n/,
  );
});

test("[SES-106] [SES-107] an agent that works too long is stopped after its tool call, though it says nothing", async (scene) => {
  const { client, workspace, house } = scene;
  const latch = house.latch();
  const { id } = await client.createSession({
    cwd: workspace,
    // Long enough for the tool call to have begun.
    budget: { minutes: patience(2000) / 60_000 },
    prompt: `run ${latch.wait}\nsleep 600000\nwrite late.txt late`,
  });
  await seenUntil(client, id, ({ type }) => type === "session.budget.reached");
  const { state } = await client.showSession(id);
  assert.equal(state, "RUNNING", "the tool call goes on");
  latch.open();
  const end = await endOf(client, id, 1);
  assert.deepEqual([end.outcome, end.stop_reason], ["cancelled", "budget"]);
  assert.equal(existsSync(join(workspace, "late.txt")), false);
});

test("[TSK-60] [TSK-61] [TSK-62] a task that has used up its budget stops, says why, and goes on when it is raised", async ({
  client,
  workspace,
}) => {
  const wish = {
    title: "Work",
    description: "remember pass=mellon\ncrash",
    cwd: workspace,
    retry: { limit: 5, backoff_seconds: 1 },
  };
  const name = "limited";
  const task = await client.applyTask(name, {
    ...wish,
    budget: { turns: 1 },
    run: true,
  });
  const stopped = await eventually(
    () => client.showTask(task.id),
    ({ state, budget }) => state === "FAILED" && budget?.reached === "turns",
  );
  assert.equal(stopped.budget?.spent.turns, 1);
  assert.equal(stopped.attempts, 1);
  assert.equal(stopped.retry_at, undefined, "it does not try again by itself");
  await assert.rejects(client.retryTask(task.id), {
    code: "budget_reached",
    message: /1 of 1 turns/,
  });
  await client.applyTask(name, { ...wish, budget: { turns: 2 } });
  await client.retryTask(task.id);
  const after = await eventually(
    () => client.showTask(task.id),
    ({ state }) => state === "REVIEW",
  );
  assert.deepEqual([after.attempts, after.budget?.spent.turns], [2, 2]);
});
