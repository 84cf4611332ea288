/** Claude Code and Codex by their CLIs, through the real Reprise with our adapter in between. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { seenUntil, turnEnded } from "../e2e/house.ts";
import { killAtPermission } from "./rows/kill-at-permission.ts";
import { killDuringShell } from "./rows/kill-during-shell.ts";
import { killMidStream } from "./rows/kill-mid-stream.ts";
import { pause } from "./rows/pause.ts";
import { quota } from "./rows/quota.ts";
import { unknownToken } from "./rows/unknown-token.ts";
import { provenGrade, Scene } from "./scene.ts";
import { showing, testPage } from "./shown.ts";

const byCli = (agent: "claude" | "codex"): Promise<Scene> =>
  Scene.make(agent, { driver: "stream-json" });

for (const agent of ["claude", "codex"] as const) {
  test(`[P6] ${agent} by its CLI: paused and resumed it comes back native`, async () => {
    await using scene = await byCli(agent);
    const grade = await showing(`${agent}-cli`, "pause", () => pause(scene));
    assert.equal(grade, "native");
  });

  test(`[P6] [P9] ${agent} by its CLI: a token that it does not know`, async () => {
    await using scene = await byCli(agent);
    const grade = await showing(`${agent}-cli`, "unknownToken", () =>
      unknownToken(scene),
    );
    assert.equal(grade, "injected");
  });
}

/** Codex prints no kind with its error, so nothing tells a quota from any other failure. */
for (const [agent, expected] of [
  ["claude", "continued"],
  ["codex", "failed"],
] as const)
  test(`[SES-27] ${agent} by its CLI: its quota is used up for a while: ${expected}`, async () => {
    await using scene = await byCli(agent);
    const outcome = await showing(`${agent}-cli`, "quota", () => quota(scene));
    assert.equal(outcome, expected);
  });

test("[P6] [P7] claude by its CLI: everything killed in the middle of a stream, the prompt not sent again", async () => {
  await using scene = await byCli("claude");
  const grade = await showing("claude-cli", "killMidStream", () =>
    killMidStream(scene),
  );
  assert.equal(grade, "native");
});

test("[P5] claude by its CLI: everything killed while a permission is asked for", async () => {
  await using scene = await byCli("claude");
  const grade = await showing("claude-cli", "killAtPermission", () =>
    killAtPermission(scene),
  );
  assert.equal(grade, "native");
});

test("[P4] claude by its CLI: killed while a shell command runs, which never writes afterwards", async () => {
  await using scene = await byCli("claude");
  const grade = await showing("claude-cli", "killDuringShell", () =>
    killDuringShell(scene),
  );
  assert.equal(grade, "native");
});

for (const agent of ["claude", "codex"] as const)
  test(`${agent} by its CLI: a cancelled turn ends, and the session knows what it knew`, async () => {
    await using scene = await byCli(agent);
    const id = await scene.begin();
    const prompt = "stream 1500 20";
    await scene.client.queuePrompt(id, { text: prompt });
    await eventually(
      async () => scene.asked(prompt),
      (times) => times === 1,
    );
    await scene.client.cancelTurn(id);
    const seen = await seenUntil(scene.client, id, turnEnded(2));
    const last = seen.at(-1);
    assert.equal(last?.type, "session.turn.ended");
    assert.equal(last.data.outcome, "cancelled");
    assert.ok((await scene.recall(id)).endsWith(scene.passkey));
  });

test("[P5] claude by its CLI: what is allowed is done, what is rejected is not", async () => {
  await using scene = await byCli("claude");
  const id = await scene.begin();
  for (const [kind, written] of [
    ["allow_once", true],
    ["reject_once", false],
  ] as const) {
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
    assert.equal(existsSync(file), written, kind);
  }
});

/** Codex prints a message when it is whole, so what is cut off has not been seen. */
test("[P6] [P7] codex by its CLI: everything killed in the middle of a turn, the prompt not sent again", async () => {
  await using scene = await byCli("codex");
  const id = await scene.begin();
  const prompt = "stream 1500 20";
  await scene.client.queuePrompt(id, { text: prompt });
  await eventually(
    async () => scene.asked(prompt),
    (times) => times === 1,
  );
  await scene.loseEverything();
  const resumed = await scene.client.resumeSession(id);
  assert.equal(resumed.unresolved_prompts[0]?.state, "interrupted");
  const grade = await showing("codex-cli", "killMidStream", () =>
    provenGrade(scene, resumed.id),
  );
  assert.equal(grade, "native");
  assert.equal(scene.asked(prompt), 1);
});

testPage("claude-cli", "codex-cli");
