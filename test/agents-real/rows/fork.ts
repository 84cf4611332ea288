import assert from "node:assert/strict";
import { provenGrade } from "../scene.ts";
import type { Cast } from "../shared-scene.ts";

/** A fork lives in another path and knows what was said up to its turn; the session it came from knows the rest. */
export const fork = async ({ scene, main }: Cast): Promise<string> => {
  const id = await main();
  const passkey = scene.passkeyOf(id);
  const turn = await scene.tellAnother(id);

  const forked = await scene.client.forkSession(id, { turn });
  assert.notEqual(forked.cwd, scene.house.workspace);
  scene.wentBackTo(forked.id, passkey);
  const grade = await provenGrade(scene, forked.id);
  assert.ok((await scene.recall(id)).endsWith(scene.passkeyOf(id)));
  await scene.client.endSession(forked.id);
  return grade;
};
