/** By which a server finds the sessions that it has to look after, without reading the others. */
import { inUtc } from "../../kit/time/elapsed.ts";
import { continuationOf } from "./continuation.ts";
import { handOverOf, quotaDueAt } from "./quota/hand-over.ts";
import { queueDueAt } from "./quota/held-queue.ts";
import type { State } from "./state.ts";

export interface Attention {
  /** It has an agent, or something is to be done for it at once: a server that starts looks after it. */
  live: boolean;
  /** It goes on by itself then; as `toISOString` writes times. */
  due_at: string | null;
}

export const attentionOf = (state: State): Attention => {
  const notBefore =
    continuationOf(state)?.not_before ?? quotaDueAt(state) ?? queueDueAt(state);
  return {
    live: isLive(state),
    due_at: notBefore === null ? null : inUtc(notBefore),
  };
};

/** Null where it is as it was before. */
export const attentionChange = (
  before: State | null,
  after: State,
): Attention | null => {
  const now = attentionOf(after);
  if (before === null) return now;
  const { live, due_at } = attentionOf(before);
  return live === now.live && due_at === now.due_at ? null : now;
};

/** A session that waits for a time needs no attention until then. */
const isLive = (state: State): boolean => {
  const { execution, executions_so_far, lifecycle, checkpoints } = state;
  const { due, rewinding } = checkpoints;
  if (execution !== null) return true;
  if (lifecycle.name === "STARTING" || lifecycle.name === "RUNNING")
    return true;
  // Of a session that never had an agent, nothing is captured or put back until somebody wants something of it.
  if (
    executions_so_far.last_ended_id !== null &&
    (due !== null || rewinding !== null)
  )
    return true;
  return (
    continuationOf(state)?.not_before === null || handOverOf(state) !== null
  );
};
