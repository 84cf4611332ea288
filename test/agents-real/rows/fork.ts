import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { say } from "../../e2e/house.ts";
import { provenGrade, type Scene } from "../scene.ts";

/** A fork lives in another path and knows what was said up to its turn; the session it came from knows the rest. */
export const fork = async (scene: Scene): Promise<string> => {
  const later = randomUUID();
  const id = await scene.begin();
  await say(scene.client, id, `store passkey ${later}`);

  const forked = await scene.client.forkSession(id, { turn: 1 });
  assert.notEqual(forked.cwd, scene.house.workspace);
  const grade = await provenGrade(scene, forked.id);
  assert.ok((await scene.recall(id)).endsWith(later));
  return grade;
};
