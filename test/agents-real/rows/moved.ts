import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { say } from "../../e2e/house.ts";
import { provenGrade } from "../scene.ts";
import type { Cast } from "../shared-scene.ts";

/** Out of one Reprise by export, into another by import, at another path; everything that was there before is gone. */
export const moved = async ({ scene, main }: Cast): Promise<string> => {
  const id = await main();
  await writeFile(join(scene.house.workspace, "kept.txt"), "kept");
  await say(scene.client, id, "hello");
  await scene.client.pauseSession(id);
  const exported = await scene.client.exportSession(id);
  const archive = await new Response(exported).blob();
  await scene.moveHouse();

  const cwd = join(scene.house.directory, "elsewhere");
  await scene.client.importSession(archive, { cwd });
  const { resume } = await scene.client.resumeSession(id);
  assert.deepEqual([resume?.path, resume?.workspace], ["cold", "restored"]);
  assert.equal(await readFile(join(cwd, "kept.txt"), "utf8"), "kept");
  return provenGrade(scene, id);
};
