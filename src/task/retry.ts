/** Whether a task tries again by itself, when, and how (TSK-23 to TSK-25). */
import { backoff } from "../kit/time/backoff.ts";
import { inUtc, laterBy } from "../kit/time/elapsed.ts";
import { usedUpBy } from "./budget.ts";
import type { Attempt, State } from "./state.ts";

export interface NextRetry {
  at: string;
  mode: "continue" | "fresh";
}

/** Null where it does not: it succeeded, somebody is needed, or it has been tried often enough. */
export const nextRetry = (state: State, now: string): NextRetry | null => {
  const attempt = state.attempts.at(-1);
  if (attempt === undefined || state.closed !== null) return null;
  if (!isWorthRetrying(attempt) || usedUpBy(state) !== null) return null;
  if (state.automatic_attempts >= state.retry.limit) return null;
  const pause = laterBy(now, pauseMs(state, attempt));
  const quota = inUtc(notBefore(attempt) ?? now);
  return {
    at: pause > quota ? pause : quota,
    mode: isStuck(state, attempt) ? "fresh" : "continue",
  };
};

/** What only a person can change: another try ends the same way. */
const NOT_RETRIED: ReadonlySet<string> = new Set([
  "refused",
  "paused",
  "not_logged_in",
  "unknown_agent",
  "unknown_profile",
  "variable_missing",
  "agent_not_installed",
  "cwd_not_found",
  "cwd_not_a_directory",
  "not_a_repository",
  "host_not_usable",
  "wrong_fingerprint",
  "container_not_usable",
  "sandbox_unavailable",
  "not_supported",
  "workspace_missing",
  "workspace_not_a_directory",
  "restriction_not_held",
  "budget_reached",
]);

const isWorthRetrying = ({ progress }: Attempt): boolean => {
  if (progress.kind !== "ended") return false;
  const { outcome, reason } = progress;
  if (outcome === "succeeded" || outcome === "cancelled") return false;
  return reason === null || !NOT_RETRIED.has(reason.code);
};

/** Doubling, and spread by up to a fifth either way so that many tasks do not come at once. */
const pauseMs = (state: State, attempt: Attempt): number => {
  const { backoff_seconds, most_seconds } = state.retry;
  const full = backoff(state.automatic_attempts, backoff_seconds, most_seconds);
  const spread = 0.8 + 0.4 * fraction(attempt.id);
  return Math.round(full * 1000 * spread);
};

/** A number in [0, 1) that is the same for the same text (FNV-1a). */
const fraction = (text: string): number => {
  let hash = 0x811c9dc5;
  for (const character of text)
    hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0;
  return hash / 2 ** 32;
};

/** When the quota that cut it short is filled again. */
const notBefore = ({ prompts }: Attempt): string | null =>
  prompts.reduce<string | null>((latest, { over }) => {
    const time = over?.not_before ?? null;
    return latest === null || (time !== null && time > latest) ? time : latest;
  }, null);

/** It failed so often in this session that another conversation may do better. */
const isStuck = ({ attempts, retry }: State, newest: Attempt): boolean => {
  if (retry.fresh_after === undefined) return false;
  const since = attempts.findLastIndex(
    ({ session_id, progress }) =>
      session_id !== newest.session_id ||
      (progress.kind === "ended" && progress.outcome === "succeeded"),
  );
  return attempts.length - 1 - since >= retry.fresh_after;
};
