/** Limits of one prompt, with an agent that runs. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "../../src/client/client.ts";
import type { Event } from "../../src/contract/event/event.ts";
import type { SessionId } from "../../src/contract/base/id.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";
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
