/** Somebody deletes the workspace of a session that rests, or its agent's own file, or both. */
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { existingSession } from "../../../src/agents/demo/session-path.ts";
import type { ChaosHouse } from "../house.ts";
import type { Play } from "../play.ts";
import type { Chance } from "../random.ts";
import { bringToPause, isStill, type Rested } from "../rest.ts";
import type { Stage } from "../stage.ts";

export const lose = async (
  stage: Stage,
  play: Play,
  chance: Chance,
  signal: AbortSignal,
): Promise<void> => {
  const rested = await bringToPause(stage, play, chance, signal);
  if (rested === null) return;
  const workspace = chance.isLucky(0.8);
  const memory =
    (!workspace || chance.isLucky(0.5)) &&
    (await loseMemory(stage.house, rested));
  const found = await stage.fileSystems.lostAndFound(
    play.cwd,
    join(stage.house.directory, "lost"),
  );
  const lost = join(found, `${play.name}-${rested.seq}`);
  if (workspace) await rename(play.cwd, lost);
  if (!workspace && !memory) return;
  // Requests of others, or one of ours that was given up long ago, may have woken it just now.
  if (await isStill(stage, play, chance, rested, stage.curtain)) {
    play.losses.push({ seq: rested.seq, workspace, memory });
    stage.tally.losses += 1;
    return;
  }
  play.disturbed = true;
  stage.tally.disturbed += 1;
  if (workspace && !existsSync(play.cwd)) await rename(lost, play.cwd);
};

/** Only what a checkpoint has a copy of. */
const loseMemory = async (
  house: ChaosHouse,
  { checkpoint }: Rested,
): Promise<boolean> => {
  const { token, agent_state } = checkpoint;
  if (token === null || agent_state === null) return false;
  const file = await existingSession(
    join(house.directory, ".reprise-demo"),
    token,
  );
  if (file !== null) await rm(file, { force: true });
  return file !== null;
};
