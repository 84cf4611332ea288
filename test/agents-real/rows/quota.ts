import assert from "node:assert/strict";
import { seenUntil, turnEnded } from "../../e2e/house.ts";
import type { RealAgent } from "../packages.ts";
import type { Cast } from "../shared-scene.ts";

/** OpenCode asks again and again meanwhile, and keeps a core busy with it. */
const secondsOf = (agent: RealAgent): number => (agent === "opencode" ? 1 : 5);

/** A used-up quota is no failure: the turn is interrupted, and goes on by itself when the quota is filled again. */
export const quota = async ({ scene, bystander }: Cast): Promise<string> => {
  const id = await bystander();
  const { turn_count: turns, last_seq } = await scene.client.showSession(id);
  const prompt = `quota ${secondsOf(scene.agent)}`;
  await scene.client.queuePrompt(id, { text: prompt });
  const seen = await seenUntil(
    scene.client,
    id,
    (event) =>
      event.type === "session.turn.interrupted" || turnEnded(turns + 1)(event),
    last_seq,
  );
  const cut = seen.at(-1);
  if (cut?.type === "session.turn.ended")
    return cut.data.outcome === "failed" ? "failed" : "unnoticed";

  assert.equal(cut?.type, "session.turn.interrupted");
  assert.match(cut.data.reason, /quota is used up/);
  const limit = cut.data.limit ?? assert.fail("it does not say why");
  assert.deepEqual(Object.keys(limit), ["resets_at"]);
  const [next] = (
    await seenUntil(scene.client, id, turnEnded(turns + 2), cut.seq)
  ).filter(({ type }) => type === "session.turn.started");
  const continued = next ?? assert.fail("it is not continued");
  assert.equal(scene.asked(prompt), 1, "the same words are not sent again");
  assert.ok((await scene.recall(id)).endsWith(scene.passkeyOf(id)));
  if (limit.resets_at === null) return "continued";
  assert.ok(Date.parse(continued.at) >= Date.parse(limit.resets_at));
  return "continued at reset";
};
