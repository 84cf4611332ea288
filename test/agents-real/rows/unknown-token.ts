import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { provenGrade } from "../scene.ts";
import type { Cast } from "../shared-scene.ts";

/** Somebody else's token, or one of a session that the agent has forgotten, and no checkpoint that has it. */
export const unknownToken = async ({
  scene,
  bystander,
}: Cast): Promise<string> => {
  const id = await bystander();
  const { metadata } = await scene.client.pauseSession(id);
  const token = metadata.resume_token ?? assert.fail("there is no token");
  const other = token.slice(0, -1) + (token.endsWith("0") ? "1" : "0");
  await scene.whileDown(() =>
    replaceInJournal(join(scene.house.home, "reprise.db"), token, other),
  );
  assert.equal(
    (await scene.client.showSession(id)).metadata.resume_token,
    other,
  );

  const resumed = await scene.client.resumeSession(id);
  assert.ok(resumed.resume?.lost, "it is said what was lost");
  const grade = await provenGrade(scene, id);
  assert.match(await scene.recall(id), /./, "the session is still usable");
  return grade;
};

const replaceInJournal = (path: string, from: string, to: string): void => {
  const database = new DatabaseSync(path);
  for (const [table, column] of [
    ["events", "body"],
    ["snapshots", "state"],
    ["sessions", "view"],
    ["executors_running", "resume_token"],
  ])
    database
      .prepare(`UPDATE ${table} SET ${column} = replace(${column}, ?, ?)`)
      .run(from, to);
  database.close();
};
