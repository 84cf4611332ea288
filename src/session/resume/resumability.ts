import type { ResumeReason } from "../../contract/agent/resume.ts";
import { elapsedMs } from "../../kit/time/elapsed.ts";
import { unreachable } from "../../kit/unreachable.ts";
import {
  decideResume,
  type ResumeDecision,
  type SessionOpening,
  sessionOpening,
} from "./resume.ts";
import type { State } from "../state/state.ts";

export interface Resumability {
  is_resumable: boolean;
  needs_resume: boolean;
  resume_reason: ResumeReason | null;
  requires_new_session: boolean;
}

/** A resume decision in the words of the status API: may this session be resumed, must it be, and why. */
export const resumability = (
  state: State,
  decision: ResumeDecision,
  at: string,
): Resumability => {
  switch (decision.kind) {
    case "refuse":
      return denied(decision.reason);
    case "reattach":
    case "wait":
      return ofJournal(state, null);
    case "unseen":
      return ofJournal(state, "agentctl_unavailable");
    case "start":
      return byOpening(state, decision.opening, at);
    default:
      return unreachable(decision);
  }
};

/** The same for a session without an execution, where no agentctl is there to look: what the journal says. */
export const resumabilityUnseen = (state: State, at: string): Resumability => {
  const decision = decideResume(state, null);
  if (decision.kind === "refuse") return resumability(state, decision, at);
  return byOpening(state, sessionOpening(state, null), at);
};

const byOpening = (
  state: State,
  opening: SessionOpening,
  at: string,
): Resumability => {
  if (opening.strategy === "fresh") return denied(opening.reason);
  const resting = restingReason(state, at);
  if (resting !== null) return possible(resting);
  const reason =
    opening.strategy === "native"
      ? "agent_not_running"
      : "agent_not_running_fresh_start";
  return { ...possible(reason), needs_resume: true };
};

/** Nothing has to be brought back now, or the place could not be reached. The journal says whether it could be. */
const ofJournal = (
  state: State,
  reason: "agentctl_unavailable" | null,
): Resumability => ({
  ...possible(reason),
  is_resumable: sessionOpening(state, null).strategy !== "fresh",
});

const possible = (resume_reason: ResumeReason | null): Resumability => ({
  is_resumable: true,
  needs_resume: false,
  resume_reason,
  requires_new_session: false,
});

type Denial = Extract<ResumeDecision, { kind: "refuse" }>["reason"] | Fresh;
type Fresh = "not_resumable" | "missing_resume_token" | "agent_session_missing";

const denied = (resume_reason: Denial): Resumability => ({
  is_resumable: false,
  needs_resume: false,
  resume_reason,
  requires_new_session: requiresNewSession[resume_reason],
});

/** Whether nothing that somebody can do brings the conversation back. */
const requiresNewSession: Readonly<Record<Denial, boolean>> = {
  not_resumable: true,
  missing_resume_token: true,
  agent_session_missing: true,
  ended: true,
  deleted: false,
  workspace_missing: false,
  workspace_not_a_directory: false,
  agent_not_installed: false,
};

const RECENTLY_MS = 10_000;

/** Why it is not resumed by looking at it: somebody paused it, it failed, or its agent was heard a moment ago. */
const restingReason = (
  { lifecycle, execution, times }: State,
  at: string,
): "paused" | "error" | "recently_seen" | null => {
  if (lifecycle.name === "PAUSED") return "paused";
  if (lifecycle.name === "ERROR") return "error";
  return execution !== null && elapsedMs(times.last_active_at, at) < RECENTLY_MS
    ? "recently_seen"
    : null;
};
