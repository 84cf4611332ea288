/** How long an attempt may work (TSK-21), and when somebody has to look at a task again (TSK-4). */
import { elapsedMs, laterBy } from "../kit/time/elapsed.ts";
import { openAttempt, type Attempt, type State } from "./state.ts";

/** For how long the agent of an attempt has worked. */
export const workedMs = ({ clock }: Attempt, now: string): number =>
  clock.worked_ms +
  (clock.working_since === null
    ? 0
    : Math.max(0, elapsedMs(clock.working_since, now)));

/** The time at which the open attempt has used up its time; null while it does not work, or may work for ever. */
const timeoutAt = (state: State): string | null => {
  const attempt = openAttempt(state);
  if (attempt === null || state.timeout_minutes === null) return null;
  const { clock, timed_out_at, progress } = attempt;
  if (timed_out_at !== null || progress.kind !== "under way") return null;
  if (clock.working_since === null) return null;
  const left = state.timeout_minutes * 60_000 - clock.worked_ms;
  return laterBy(clock.working_since, Math.max(0, left));
};

export const isTimeUp = (state: State, now: string): boolean => {
  const at = timeoutAt(state);
  return at !== null && at <= now;
};

export const isRetryDue = (state: State, now: string): boolean =>
  state.next_retry !== null && state.next_retry.at <= now;

export const dueAt = (state: State): string | null =>
  state.next_retry?.at ?? timeoutAt(state);
