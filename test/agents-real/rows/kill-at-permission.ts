import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { seenUntil } from "../../e2e/house.ts";
import { provenGrade } from "../scene.ts";
import type { Cast } from "../shared-scene.ts";

/** What was asked is closed with a reason, and nothing is written without an answer. */
export const killAtPermission = async ({
  scene,
  asking,
}: Cast): Promise<string> => {
  const file = join(scene.house.workspace, "asked.txt");
  const prompt = `write ${file} hello`;
  const id = await asking();
  const { last_seq } = await scene.client.showSession(id);
  await scene.client.queuePrompt(id, { text: prompt });
  await seenUntil(
    scene.client,
    id,
    ({ type }) => type === "session.permission.requested",
    last_seq,
  );
  await scene.loseEverything();
  await seenUntil(
    scene.client,
    id,
    ({ type }) => type === "session.permission.closed",
    last_seq,
  );

  const resumed = await scene.client.resumeSession(id);
  assert.deepEqual(resumed.pending_permissions, []);
  const grade = await provenGrade(scene, id);
  assert.equal(scene.asked(prompt), 1);
  assert.ok(!existsSync(file), "nobody allowed it");
  await scene.dropUnresolved(id);
  return grade;
};
