import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { say } from "../../e2e/house.ts";
import { provenGrade } from "../scene.ts";
import type { Cast } from "../shared-scene.ts";

/** Workspace and agent home are gone while the session is paused: both come from its checkpoint. */
export const cold = async ({ scene, main }: Cast): Promise<string> => {
  const file = join(scene.house.workspace, "kept.txt");
  const id = await main();
  await writeFile(file, "kept");
  await say(scene.client, id, "hello");
  await scene.client.pauseSession(id);
  await rm(scene.house.workspace, { recursive: true });
  await scene.stage.renewHome();

  const { resume } = await scene.client.resumeSession(id);
  assert.deepEqual([resume?.path, resume?.workspace], ["cold", "restored"]);
  assert.equal(await readFile(file, "utf8"), "kept");
  return provenGrade(scene, id);
};
