import assert from "node:assert/strict";
import { seenUntil } from "../../e2e/house.ts";
import { provenGrade, type Scene } from "../scene.ts";

const LONG = "stream 1500 20";

/** The interrupted prompt stays what it is: the model is asked for it once, whatever is said afterwards. */
export const killMidStream = async (scene: Scene): Promise<string> => {
  const id = await scene.begin();
  const { last_seq } = await scene.client.showSession(id);
  await scene.client.queuePrompt(id, { text: LONG });
  const streams = ({ type }: { type: string }) =>
    type === "session.message.updated";
  await seenUntil(scene.client, id, streams, last_seq);
  await scene.loseEverything();
  const cut = ({ type }: { type: string }) =>
    type === "session.turn.interrupted";
  await seenUntil(scene.client, id, cut);

  const resumed = await scene.client.resumeSession(id);
  assert.equal(resumed.unresolved_prompts[0]?.state, "interrupted");
  const { messages } = await scene.client.listMessages(id);
  assert.match(messages.map(({ text }) => text).join(""), /1 2 3 /);
  const grade = await provenGrade(scene, resumed);
  assert.equal(scene.asked(LONG), 1);
  return grade;
};
