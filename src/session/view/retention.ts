/** How long sessions are kept. Nothing goes that was not asked to go (P8): both limits are off unless they are set. */
import type { Session } from "../../contract/session/session.ts";
import { isTerminal } from "../../contract/session/state.ts";
import { elapsedMs } from "../../kit/time/elapsed.ts";
import type { State } from "../state/state.ts";

export interface Retention {
  /** Ends a session that was not used for so long. */
  ttl_days: number | null;
  /** Puts into the trash what ended so long ago. */
  retention_days: number | null;
  /** Empties the trash of what has been in it for so long. */
  trash_days: number;
}

export type Fate = "keep" | "end" | "delete" | "purge";

const DAY_MS = 86_400_000;

export const fateOf = (
  {
    state,
    last_active_at,
    deleted_at,
  }: Pick<Session, "state" | "last_active_at" | "deleted_at">,
  { ttl_days, retention_days, trash_days }: Retention,
  now: string,
): Fate => {
  const isOver = (since: string, days: number | null): boolean =>
    days !== null && elapsedMs(since, now) >= days * DAY_MS;
  if (deleted_at !== null)
    return isOver(deleted_at, trash_days) ? "purge" : "keep";
  if (isTerminal(state))
    return isOver(last_active_at, retention_days) ? "delete" : "keep";
  // A turn that goes on and says nothing for days is still being used.
  if (state === "RUNNING" || state === "STARTING") return "keep";
  return isOver(last_active_at, ttl_days) ? "end" : "keep";
};

/** Whether anything outside the trash can have another fate than to be kept. */
export const isAgeLimited = ({
  ttl_days,
  retention_days,
}: Retention): boolean => ttl_days !== null || retention_days !== null;

/** In the trash, and nothing of it runs, nor is its directory being brought back. */
export const mayBePurged = ({
  deleted_at,
  execution,
  checkpoints,
}: Pick<State, "deleted_at" | "execution"> & {
  checkpoints: Pick<State["checkpoints"], "rewinding">;
}): boolean =>
  deleted_at !== null && execution === null && checkpoints.rewinding === null;
