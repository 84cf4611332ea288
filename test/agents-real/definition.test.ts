/** What is said about how an agent is to work reaches the model, at the start and after a resume. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { say, seenUntil, turnEnded } from "../e2e/house.ts";
import { Scene } from "./scene.ts";
import { SharedScene } from "./shared-scene.ts";

const RULE = "Mention the harvest moon in every answer.";

/** One Reprise for the sessions of all tests. */
const shared = new SharedScene(() => Scene.make("claude"));
after(() => shared.close());

const claude = (name: string, run: (scene: Scene) => Promise<void>): void =>
  void test(name, async () => {
    await shared.play(async ({ scene }) => {
      await run(scene);
      return "";
    });
  });

claude(
  "[SES-28] [LNK-43] [LNK-44] [LNK-57] claude: instructions and limits of tools are in every request to its model, also after a resume; a model it does not know is told, where it may fall back on its own",
  async (scene) => {
    const id = await scene.begin({
      instructions: RULE,
      allowed_tools: ["Read", "Bash(git *)"],
      model: "no-such-model",
      model_fallback: true,
    });
    await scene.client.pauseSession(id);
    const { resume } = await scene.client.resumeSession(id);
    assert.equal(resume?.grade, "native");
    assert.ok((await scene.recall(id)).endsWith(scene.passkeyOf(id)));

    const asked = scene.askedFor(id).filter(({ aside }) => !aside);
    assert.equal(asked.length, 2);
    for (const { body, conversation } of asked) {
      assert.ok(JSON.stringify(body).includes(RULE));
      const tools = conversation.tools.map(({ name }) => name);
      assert.deepEqual(tools.toSorted(), ["Bash", "Read"]);
    }
    const { last_seq } = await scene.client.showSession(id);
    const seen = await seenUntil(
      scene.client,
      id,
      ({ seq }) => seq >= last_seq,
    );
    const notices = seen.flatMap((event) =>
      event.type === "session.notice" ? [event.data.code] : [],
    );
    assert.deepEqual(notices, ["model_refused", "model_refused"]);
  },
);

claude(
  "[SES-26] claude: the policy answers by the tool's own name and command, and what it forbids is not even asked",
  async (scene) => {
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
    const made = (name: string) =>
      existsSync(join(scene.house.workspace, name));
    assert.deepEqual([made("yes.txt"), made("no.txt")], [true, false]);
  },
);
