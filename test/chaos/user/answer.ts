/** Answers what an agent asks: at once, late, or twice. */
import { setTimeout as pause } from "node:timers/promises";
import type { Event } from "../../../src/contract/event/event.ts";
import { insist } from "./insist.ts";
import type { Play } from "../play.ts";
import type { Chance } from "../random.ts";
import type { Stage } from "../stage.ts";

export const answerWhenAsked = (
  stage: Stage,
  play: Play,
  chance: Chance,
  event: Event,
): void => {
  if (event.type !== "session.permission.requested") return;
  stage.tally.permissions += 1;
  const { id, options } = event.data.permission;
  const option = chance.pick(options)?.id ?? "";
  const ms = chance.isLucky(0.2)
    ? chance.between(1000, 4000)
    : chance.between(0, 400);
  void pause(ms, undefined, { signal: stage.over })
    .catch(() => null)
    .then(() => answer(stage, play, chance, id, option, stage.over));
};

/** True when the server said that it has the answer. */
export const answer = async (
  { client, violations, tally }: Stage,
  play: Play,
  chance: Chance,
  permission: string,
  option: string,
  signal: AbortSignal,
): Promise<boolean> => {
  const outcome = await insist(chance, signal, (patience) =>
    client.call("answerPermission", {
      params: { id: play.id, request_id: permission },
      body: { option_id: option },
      signal: patience,
    }),
  );
  if (outcome.kind === "done") {
    play.answered.push({ permission, option });
    return true;
  }
  if (outcome.kind === "unknown") return false;
  tally.refusals.set(outcome.code, (tally.refusals.get(outcome.code) ?? 0) + 1);
  // Whoever saw the question may be too late with the answer, but it is never unknown.
  const usual = ["permission_closed", "session_ended"];
  if (!usual.includes(outcome.code))
    violations.add(
      "P5",
      play.name,
      `the answer to ${permission} was refused: ${outcome.code} ${outcome.message}`,
    );
  return false;
};
