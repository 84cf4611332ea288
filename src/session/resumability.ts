import { canResumeNatively } from "../contract/agent.ts";
import type { ResumeReason } from "../contract/resume.ts";
import { isTerminal } from "../contract/state.ts";
import { elapsedMs } from "../kit/elapsed.ts";
import type { State } from "./state.ts";

export interface Resumability {
  is_resumable: boolean;
  needs_resume: boolean;
  resume_reason: ResumeReason | null;
}

const RECENTLY_MS = 10_000;

/** The status table: may this session be resumed, must it be, and why. */
export const resumability = (
  state: State,
  seen: { running: boolean; last_seen_at: string | null },
  at: string,
): Resumability => {
  const answer = (
    is_resumable: boolean,
    needs_resume: boolean,
    resume_reason: ResumeReason | null,
  ): Resumability => ({ is_resumable, needs_resume, resume_reason });

  if (isTerminal(state.lifecycle.name)) return answer(false, false, "ended");
  const able = resumeAbility(state);
  if (state.lifecycle.name === "PAUSED")
    return answer(able.possible, false, "paused");
  if (state.lifecycle.name === "ERROR") return answer(true, false, "error");
  if (seen.running) return answer(able.possible, false, null);
  if (
    seen.last_seen_at !== null &&
    elapsedMs(seen.last_seen_at, at) < RECENTLY_MS
  )
    return answer(true, false, "recently_seen");
  return answer(able.possible, able.possible, able.reason);
};

const resumeAbility = (
  state: State,
): { possible: boolean; reason: ResumeReason } => {
  const { abilities } = state;
  const known = state.memory?.token ?? state.token;
  if (canResumeNatively(abilities) && known !== null)
    return { possible: true, reason: "agent_not_running" };
  if (abilities.injection || !state.booted)
    return { possible: true, reason: "agent_not_running_fresh_start" };
  return canResumeNatively(abilities)
    ? { possible: false, reason: "missing_resume_token" }
    : { possible: false, reason: "not_resumable" };
};
