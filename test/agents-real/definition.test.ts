/** What is said about how an agent is to work reaches the model, at the start and after a resume. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { say, seenUntil, turnEnded } from "../e2e/house.ts";
import { Scene } from "./scene.ts";

const RULE = "Mention the harvest moon in every answer.";

test("[SES-28] [LNK-43] [LNK-44] claude: instructions and limits of tools are in every request to its model, also after a resume; a model it does not know is told", async () => {
  await using scene = await Scene.make("claude");
  const id = await scene.begin({
    instructions: RULE,
    allowed_tools: ["Read", "Bash(git *)"],
    model: "no-such-model",
  });
  await scene.client.pauseSession(id);
  const { resume } = await scene.client.resumeSession(id);
  assert.equal(resume?.grade, "native");
  assert.ok((await scene.recall(id)).endsWith(scene.passkey));

  const asked = scene.model.asked.filter(({ aside }) => !aside);
  assert.equal(asked.length, 2);
  for (const { body, conversation } of asked) {
    assert.ok(JSON.stringify(body).includes(RULE));
    const tools = conversation.tools.map(({ name }) => name);
    assert.deepEqual(tools.toSorted(), ["Bash", "Read"]);
  }
  const { last_seq } = await scene.client.showSession(id);
  const seen = await seenUntil(scene.client, id, ({ seq }) => seq >= last_seq);
  const notices = seen.flatMap((event) =>
    event.type === "session.notice" ? [event.data.code] : [],
  );
  assert.deepEqual(notices, ["model_refused", "model_refused"]);
});

test("[SES-26] claude: the policy answers by the tool's own name and command, and what it forbids is not even asked", async () => {
  await using scene = await Scene.make("claude");
  const id = await scene.begin({
    permissions: {
      default: "ask",
      rules: [
        { tool: "Bash(touch no*)", answer: "deny" },
        { tool: "Bash(touch *)", answer: "allow" },
      ],
    },
  });
  const { last_seq } = await scene.client.showSession(id);
  await say(scene.client, id, "shell touch yes.txt");
  await say(scene.client, id, "shell touch no.txt");
  const seen = await seenUntil(scene.client, id, turnEnded(3), last_seq);
  const answered = seen.flatMap((event) =>
    event.type === "session.permission.answered" ? [event.data.by] : [],
  );
  assert.deepEqual(answered, ["policy"]);
  const made = (name: string) => existsSync(join(scene.house.workspace, name));
  assert.deepEqual([made("yes.txt"), made("no.txt")], [true, false]);
});

for (const driver of ["acp", "stream-json"] as const)
  test(`[SES-27] claude by ${driver}: a turn that a quota cuts short is interrupted for that reason, and goes on by itself where that is wanted`, async () => {
    await using scene = await Scene.make("claude", { driver });
    const id = await scene.begin({ on_interrupt: "continue" });
    await scene.client.queuePrompt(id, { text: "quota 1" });
    const seen = await seenUntil(scene.client, id, turnEnded(3));
    const cut = seen.find(({ type }) => type === "session.turn.interrupted");
    assert.ok(cut?.type === "session.turn.interrupted");
    // With a key of the API nobody tells Claude Code when.
    assert.deepEqual(cut.data.limit, { resets_at: null });
  });
