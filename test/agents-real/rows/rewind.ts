import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { say } from "../../e2e/house.ts";
import { provenGrade, type Scene } from "../scene.ts";

/** The session is back where it was; another one in the same home of the agent does not notice. */
export const rewind = async (scene: Scene): Promise<string> => {
  const theirs = randomUUID();
  const cwd = join(scene.house.directory, "other");
  await mkdir(cwd);
  const bystander = await scene.begin({
    cwd,
    prompt: `store passkey ${theirs}`,
  });
  await scene.client.pauseSession(bystander);
  const id = await scene.begin();
  await say(scene.client, id, `store passkey ${randomUUID()}`);

  await scene.client.rewindSession(id, { turn: 1 });
  const grade = await provenGrade(scene, id);
  const { resume } = await scene.client.resumeSession(bystander);
  assert.equal(resume?.grade, "native", "the other one is untouched");
  assert.ok((await scene.recall(bystander)).endsWith(theirs));
  return grade;
};
