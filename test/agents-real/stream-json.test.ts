/** Claude Code and Codex by their CLIs, through the real Reprise with our adapter in between. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { seenUntil } from "../e2e/house.ts";
import type { Row } from "./matrix.ts";
import { killAtPermission } from "./rows/kill-at-permission.ts";
import { killDuringShell } from "./rows/kill-during-shell.ts";
import { killMidStream } from "./rows/kill-mid-stream.ts";
import { pause } from "./rows/pause.ts";
import { quota } from "./rows/quota.ts";
import { unknownToken } from "./rows/unknown-token.ts";
import { provenGrade, Scene } from "./scene.ts";
import { type Cast, SharedScene } from "./shared-scene.ts";
import { showing, testPage } from "./shown.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";

type Play = (cast: Cast) => Promise<string>;

/** The rows of one agent, with one Reprise. */
const byCli = (
  agent: "claude" | "codex",
  define: (
    row: (name: string, row: Row, play: Play, outcome: string) => void,
    shared: SharedScene,
  ) => void,
): void =>
  void describe(`${agent} by its CLI`, () => {
    const shared = new SharedScene(() =>
      Scene.make(agent, { driver: "stream-json" }),
    );
    after(() => shared.close());
    define((name, row, play, outcome) => {
      test(name, async () => {
        const shown = await showing(`${agent}-cli`, row, () =>
          shared.play(play),
        );
        assert.equal(shown, outcome);
      });
    }, shared);
  });

const PAUSED = "[P6] paused and resumed it comes back native";
const UNKNOWN = "[P6] [P9] a token that it does not know";

byCli("claude", (row, shared) => {
  row(PAUSED, "pause", pause, "native");
  row(
    "[P6] [P7] everything killed in the middle of a stream, the prompt not sent again",
    "killMidStream",
    killMidStream,
    "native",
  );
  row(
    "[P5] everything killed while a permission is asked for",
    "killAtPermission",
    killAtPermission,
    "native",
  );
  row(
    "[P4] killed while a shell command runs, which never writes afterwards",
    "killDuringShell",
    killDuringShell,
    "native",
  );
  testCancel(shared);
  test("[P5] what is allowed is done, what is rejected is not", async () => {
    await shared.play(async ({ scene, main }) => {
      const id = await main();
      for (const [kind, written] of [
        ["allow_once", true],
        ["reject_once", false],
      ] as const)
        assert.equal(await asksAndIsTold(scene, id, kind), written, kind);
      return "";
    });
  });
  row(
    "[SES-27] its quota is used up for a while: continued",
    "quota",
    quota,
    "continued",
  );
  row(UNKNOWN, "unknownToken", unknownToken, "injected");
});

byCli("codex", (row, shared) => {
  row(PAUSED, "pause", pause, "native");
  row(
    "[P6] [P7] everything killed in the middle of a turn, the prompt not sent again",
    "killMidStream",
    killMidTurn,
    "native",
  );
  testCancel(shared);
  // Codex prints no kind with its error, so nothing tells a quota from any other failure.
  row(
    "[SES-27] its quota is used up for a while: failed",
    "quota",
    quota,
    "failed",
  );
  row(UNKNOWN, "unknownToken", unknownToken, "injected");
});

testPage("claude-cli", "codex-cli");

/** Codex prints a message when it is whole, so what is cut off has not been seen. */
async function killMidTurn({ scene, main }: Cast): Promise<string> {
  const id = await main();
  const prompt = "stream 1500 20";
  await scene.client.queuePrompt(id, { text: prompt });
  await eventually(
    async () => scene.asked(prompt),
    (times) => times === 1,
  );
  await scene.loseEverything();
  const resumed = await scene.client.resumeSession(id);
  assert.equal(resumed.unresolved_prompts[0]?.state, "interrupted");
  const grade = await provenGrade(scene, id);
  assert.equal(scene.asked(prompt), 1);
  await scene.dropUnresolved(id);
  return grade;
}

function testCancel(shared: SharedScene): void {
  test("a cancelled turn ends, and the session knows what it knew", async () => {
    await shared.play(async ({ scene, main }) => {
      const id = await main();
      const { last_seq } = await scene.client.showSession(id);
      const prompt = "stream 1400 20";
      await scene.client.queuePrompt(id, { text: prompt });
      await eventually(
        async () => scene.asked(prompt),
        (times) => times === 1,
      );
      await scene.client.cancelTurn(id);
      const seen = await seenUntil(
        scene.client,
        id,
        ({ type }) => type === "session.turn.ended",
        last_seq,
      );
      const last = seen.at(-1);
      assert.equal(last?.type, "session.turn.ended");
      assert.equal(last.data.outcome, "cancelled");
      assert.ok((await scene.recall(id)).endsWith(scene.passkeyOf(id)));
      return "";
    });
  });
}

/** The agent is to write a file and gets this answer. Whether the file is there afterwards. */
const asksAndIsTold = async (
  scene: Scene,
  id: string,
  kind: "allow_once" | "reject_once",
): Promise<boolean> => {
  const file = join(scene.house.workspace, `${kind}.txt`);
  const { last_seq } = await scene.client.showSession(id);
  await scene.client.queuePrompt(id, { text: `write ${file} hello` });
  const seen = await seenUntil(
    scene.client,
    id,
    ({ type }) => type === "session.permission.requested",
    last_seq,
  );
  const asked = seen.at(-1);
  assert.equal(asked?.type, "session.permission.requested");
  const { permission } = asked.data;
  const option = permission.options.find((each) => each.kind === kind);
  await scene.client.answerPermission(id, permission.id, option?.id ?? "");
  await seenUntil(
    scene.client,
    id,
    ({ type }) => type === "session.turn.ended",
    last_seq,
  );
  return existsSync(file);
};
