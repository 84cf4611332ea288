import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sealSession } from "../../../src/store/sqlite/opening/seal-session.ts";
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
    replaceInJournal(join(scene.house.home, "reprise.db"), id, token, other),
  );
  assert.equal(
    (await scene.client.showSession(id)).metadata.resume_token,
    other,
  );

  const resumed = await scene.client.resumeSession(id);
  assert.ok(resumed.resume?.lost, "it is said what was lost");
  const grade = await provenGrade(scene, id);
  assert.match(await scene.recall(id), /./, "the session is still usable");
  // Nobody needs it any more, and a real agent costs something even when it has nothing to do.
  await scene.client.endSession(id);
  return grade;
};

/** Whatever does not fit its checksum is noticed, so the session gets new ones. */
const replaceInJournal = (
  path: string,
  session: string,
  from: string,
  to: string,
): void => {
  const database = new DatabaseSync(path);
  for (const sql of [
    "UPDATE events SET body = replace(body, :from, :to), chain = NULL WHERE session_id = :session",
    "UPDATE sessions SET view = replace(view, :from, :to) WHERE id = :session",
    "UPDATE executors_running SET resume_token = replace(resume_token, :from, :to) WHERE session_id = :session",
  ])
    database.prepare(sql).run({ from, to, session });
  database.prepare("DELETE FROM snapshots WHERE session_id = ?").run(session);
  database.exec("CREATE TEMP TABLE prompts_unsealed AS SELECT * FROM prompts");
  const sealing = sealSession(database);
  const sealed = sealing.events(session, sealing.begin(session));
  assert.equal(sealed.isTorn, false);
  sealing.rows(session, sealed);
  database.close();
};
