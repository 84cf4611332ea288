/** Moments at which nothing of a session runs and everything on the disk is in its newest checkpoint. */
import { setTimeout as pause } from "node:timers/promises";
import type { Checkpoint } from "../../src/contract/session/checkpoint.ts";
import type { Event } from "../../src/contract/event/event.ts";
import { hasErrno } from "../../src/kit/errno.ts";
import { listing } from "../e2e/tree-listing.ts";
import { MOUNT_POINT } from "./file-systems/mount-point.ts";
import { insist } from "./user/insist.ts";
import type { Play } from "./play.ts";
import type { Chance } from "./random.ts";
import { shown } from "./aftermath/settle.ts";
import type { Stage } from "./stage.ts";
import { lastSeq } from "./witness/witness.ts";

/** How long a user waits for a session to come to rest: one whose agent had died is not captured again. */
const PATIENCE_MS = 6000;

export interface Rested {
  seq: number;
  checkpoint: Checkpoint & { tree: string };
}

/** Pauses a session and lists its workspace. Null when it is disturbed, or has nothing to show. */
export const bringToPause = async (
  stage: Stage,
  play: Play,
  chance: Chance,
  until: AbortSignal,
): Promise<Rested | null> => {
  const signal = AbortSignal.any([until, AbortSignal.timeout(PATIENCE_MS)]);
  const paused = await insist(chance, signal, (patience) =>
    stage.client.call("pauseSession", {
      params: { id: play.id },
      body: {},
      signal: patience,
    }),
  );
  if (paused.kind !== "done") return null;
  const rested = await restOf(stage, play, chance, signal);
  if (rested === null) return null;
  const listing = await listedAt(play.cwd);
  if (listing === null) return null;
  if (!(await isStill(stage, play, chance, rested, signal))) return null;
  play.rests.push({
    seq: rested.seq,
    tree: rested.checkpoint.tree,
    listing,
  });
  stage.tally.rests += 1;
  return rested;
};

/** Nobody has written anything down since: nothing can have been started. */
export const isStill = async (
  stage: Stage,
  play: Play,
  chance: Chance,
  { seq }: Rested,
  signal: AbortSignal,
): Promise<boolean> =>
  (await shown(stage, play, chance, signal))?.last_seq === seq;

const restOf = async (
  stage: Stage,
  play: Play,
  chance: Chance,
  signal: AbortSignal,
): Promise<Rested | null> => {
  while (!signal.aborted) {
    const session = await shown(stage, play, chance, signal);
    if (session?.state !== "PAUSED") return null;
    const [feed] = play.witnesses;
    if (feed !== undefined && lastSeq(feed) === session.last_seq) {
      const rested = restIn(feed.events);
      if (rested !== null) return rested;
    }
    await pause(50, undefined, { signal }).catch(() => null);
  }
  return null;
};

/** What is captured of a pause is captured when the last process has gone, so it is all there is. */
const restIn = (events: readonly Event[]): Rested | null => {
  const newest = events.findLast(({ type }) => deeds.has(type));
  if (newest?.type !== "session.checkpoint.saved") return null;
  const { checkpoint } = newest.data;
  const { kind, tree } = checkpoint;
  if (kind !== "pause" || tree === null) return null;
  return { seq: events.at(-1)?.seq ?? 0, checkpoint: { ...checkpoint, tree } };
};

const deeds = new Set<Event["type"]>([
  "session.checkpoint.saved",
  "session.checkpoint.partial",
  "session.checkpoint.failed",
  "session.execution.started",
  "session.execution.ended",
  "session.rewind.requested",
  "session.rewound",
]);

const listedAt = async (directory: string): Promise<string[] | null> => {
  try {
    return await listing(directory, MOUNT_POINT);
  } catch (error) {
    // It was lost before, and nobody has asked for it since.
    if (hasErrno(error, "ENOENT")) return null;
    throw error;
  }
};
