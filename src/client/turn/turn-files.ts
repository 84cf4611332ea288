/** Which files a turn changed, by its checkpoint. */
import type { Change } from "../../contract/session/checkpoint.ts";
import type { Event } from "../../contract/event/event.ts";
import { isGits } from "../../contract/session/is-gits.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Client } from "../client.ts";

export interface ChangedFile {
  path: string;
  change: "added" | "modified" | "deleted";
}

/** Waits for the checkpoint of a turn that is over; empty where there is none in time. */
export const changedFiles = async (
  client: Client,
  session: string,
  { turn, endedAt }: { turn: number; endedAt: number },
  wait: { signal: AbortSignal | undefined; filesWithinMs: number },
): Promise<ChangedFile[]> => {
  if (wait.filesWithinMs > 0)
    await captured(client, session, turn, endedAt, wait);
  try {
    const { changes } = await client.showDiff(session, { from: String(turn) });
    return changes
      .filter(({ path }) => !isGits(path))
      .map(({ path, kind }) => ({ path, change: changeOf(kind) }));
  } catch (error) {
    // Not captured yet, not at all, or nobody there who could tell: the turn itself is over all the same.
    if (error instanceof RepriseError) return [];
    throw error;
  }
};

const captured = async (
  client: Client,
  session: string,
  turn: number,
  after: number,
  {
    signal,
    filesWithinMs,
  }: { signal: AbortSignal | undefined; filesWithinMs: number },
): Promise<void> => {
  const late = AbortSignal.timeout(filesWithinMs);
  const feed = client.follow(session, {
    after,
    signal: signal === undefined ? late : AbortSignal.any([signal, late]),
  });
  for await (const event of feed) if (isCaptureOf(event, turn)) return;
  signal?.throwIfAborted();
};

const isCaptureOf = (event: Event, turn: number): boolean => {
  switch (event.type) {
    case "session.checkpoint.saved":
    case "session.checkpoint.partial":
    case "session.checkpoint.failed": {
      const { checkpoint } = event.data;
      return checkpoint.kind === "turn" && checkpoint.turn === turn;
    }
    case "session.checkpoint.skipped":
      return event.data.kind === "turn" && event.data.turn === turn;
    default:
      return false;
  }
};

const changeOf = (kind: Change["kind"]): ChangedFile["change"] => {
  switch (kind) {
    case "added":
      return "added";
    case "removed":
      return "deleted";
    case "modified":
    case "mode":
    case "type":
      return "modified";
  }
};

/** What several turns changed together, one after the other. */
export const mergedFiles = (
  turns: readonly (readonly ChangedFile[])[],
): ChangedFile[] => {
  const all = new Map<string, ChangedFile["change"]>();
  for (const { path, change } of turns.flat()) {
    const before = all.get(path);
    if (before === "added" && change === "deleted") all.delete(path);
    else if (before === "added") all.set(path, "added");
    else if (before === "deleted" && change === "added")
      all.set(path, "modified");
    else all.set(path, change);
  }
  return [...all].map(([path, change]) => ({ path, change }));
};
