import assert from "node:assert/strict";
import { provenGrade } from "../scene.ts";
import type { Cast } from "../shared-scene.ts";

/** The session is back where it was; another one in the same home of the agent does not notice. */
export const rewind = async ({
  scene,
  main,
  bystander,
}: Cast): Promise<string> => {
  const other = await bystander();
  await scene.client.pauseSession(other);
  const id = await main();
  const passkey = scene.passkeyOf(id);
  const turn = await scene.tellAnother(id);

  await scene.client.rewindSession(id, { turn });
  scene.wentBackTo(id, passkey);
  const grade = await provenGrade(scene, id);
  const { resume } = await scene.client.resumeSession(other);
  assert.equal(resume?.grade, "native", "the other one is untouched");
  assert.ok((await scene.recall(other)).endsWith(scene.passkeyOf(other)));
  return grade;
};
