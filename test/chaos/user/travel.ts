/** Going back to an earlier turn, and going on from one elsewhere. */
import { expect } from "./expect.ts";
import { askOnce } from "./insist.ts";
import { follow } from "./open-session.ts";
import type { Play } from "../play.ts";
import type { Chance } from "../random.ts";
import type { Stage } from "../stage.ts";

export const rewind = async (
  stage: Stage,
  play: Play,
  chance: Chance,
): Promise<void> => {
  const turn = chance.pick([...play.shown.captured]);
  if (turn === undefined) return;
  const outcome = await askOnce(chance, stage.over, (signal) =>
    stage.client.call("rewindSession", {
      params: { id: play.id },
      body: { turn },
      signal,
    }),
  );
  expect(stage, play, outcome);
};

/** Null when it was refused, or when nobody knows: the aftermath ends sessions that are nobody's. */
export const fork = async (
  stage: Stage,
  play: Play,
  chance: Chance,
): Promise<Play | null> => {
  const turn = chance.pick([...play.shown.captured]);
  if (turn === undefined) return null;
  stage.tally.sessions += 1;
  const name = `s${stage.tally.sessions}`;
  const outcome = await askOnce(chance, stage.over, (signal) =>
    stage.client.call("forkSession", {
      params: { id: play.id },
      body: { turn, name },
      signal,
    }),
  );
  expect(stage, play, outcome);
  if (outcome.kind !== "done") return null;
  stage.tally.forks += 1;
  const { id, cwd } = outcome.value;
  const { agent, ledger } = play;
  const parent = { play, turn };
  return follow(stage, chance, {
    name,
    id,
    agent,
    cwd,
    ledger,
    parent,
  });
};
