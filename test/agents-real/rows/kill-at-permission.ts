import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { seenUntil } from "../../e2e/house.ts";
import { provenGrade, type Scene } from "../scene.ts";
import { setUpOf } from "../set-up.ts";

/** What was asked is closed with a reason, and nothing is written without an answer. */
export const killAtPermission = async (scene: Scene): Promise<string> => {
  const file = join(scene.house.workspace, "asked.txt");
  const prompt = `write ${file} hello`;
  const mode = setUpOf[scene.agent].askingMode;
  const id = await scene.begin(mode === undefined ? {} : { mode });
  await scene.client.queuePrompt(id, { text: prompt });
  await seenUntil(
    scene.client,
    id,
    ({ type }) => type === "session.permission.requested",
  );
  await scene.loseEverything();
  await seenUntil(
    scene.client,
    id,
    ({ type }) => type === "session.permission.closed",
  );

  const resumed = await scene.client.resumeSession(id);
  assert.deepEqual(resumed.pending_permissions, []);
  const grade = await provenGrade(scene, id);
  assert.equal(scene.asked(prompt), 1);
  assert.ok(!existsSync(file), "nobody allowed it");
  return grade;
};
