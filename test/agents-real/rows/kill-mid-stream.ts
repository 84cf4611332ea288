import assert from "node:assert/strict";
import type { Event } from "../../../src/contract/event/event.ts";
import { seenUntil, spoken } from "../../e2e/house.ts";
import { provenGrade } from "../scene.ts";
import type { Cast } from "../shared-scene.ts";

/** Long enough for every agent to have written down what it was asked: Copilot takes its time. */
const LONG = "stream 1500 20";

/** The interrupted prompt stays what it is: the model is asked for it once, whatever is said afterwards. */
export const killMidStream = async ({ scene, main }: Cast): Promise<string> => {
  const id = await main();
  const { last_seq } = await scene.client.showSession(id);
  await scene.client.queuePrompt(id, { text: LONG });
  await seenUntil(scene.client, id, hasSaid("100 "), last_seq);
  await scene.loseEverything();
  const cut = ({ type }: { type: string }) =>
    type === "session.turn.interrupted";
  await seenUntil(scene.client, id, cut, last_seq);

  const resumed = await scene.client.resumeSession(id);
  assert.equal(resumed.unresolved_prompts[0]?.state, "interrupted");
  const { messages } = await scene.client.listMessages(id);
  assert.match(messages.map(({ text }) => text).join(""), /1 2 3 /);
  const grade = await provenGrade(scene, id);
  assert.equal(scene.asked(LONG), 1);
  await scene.dropUnresolved(id);
  return grade;
};

const hasSaid = (words: string): ((event: Event) => boolean) => {
  const seen: Event[] = [];
  return (event) => {
    seen.push(event);
    return spoken(seen).includes(words);
  };
};
