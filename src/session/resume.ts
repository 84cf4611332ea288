import type { Abilities } from "../contract/agent.ts";
import { canResumeNatively } from "../contract/agent.ts";
import type { Resume, ResumeReason } from "../contract/resume.ts";
import { isTerminal } from "../contract/state.ts";
import { elapsedMs } from "../kit/elapsed.ts";
import type { State } from "./state.ts";

/** What can be seen of a session from outside its journal, when someone looks. */
export interface WorldReport {
  /** The newest execution's agent: `unknown` when nobody who could tell is reachable. */
  agent: "alive" | "gone" | "unknown";
  workspace: "directory" | "other" | "missing";
  installed: boolean;
  /** Processes that the newest ended execution left behind. */
  survivors: readonly number[];
}

export type ResumePlan =
  /** The agent runs already. */
  | { kind: "nothing" }
  /** It lives, and only the link to it is missing. */
  | { kind: "reattach" }
  /** The workspace is there, the agent is not. */
  | { kind: "restart-agent"; strategy: Resume["strategy"] }
  /** The workspace stays accessible, no agent comes up. */
  | { kind: "workspace-only"; reason: "agent_not_installed" }
  | { kind: "blocked"; reason: BlockReason };

export type BlockReason =
  | "ended"
  | "workspace_missing"
  | "workspace_not_a_directory"
  | "old_execution_not_gone";

/** How to bring a session's agent back. One decision, used by the action and by the status (see `status.ts`). */
export const planResume = (state: State, report: WorldReport): ResumePlan => {
  if (isTerminal(state.lifecycle.name))
    return { kind: "blocked", reason: "ended" };
  if (state.execution !== null) {
    if (report.agent === "alive") return { kind: "reattach" };
    if (report.agent === "unknown")
      return { kind: "blocked", reason: "old_execution_not_gone" };
  }
  if (report.workspace === "missing")
    return { kind: "blocked", reason: "workspace_missing" };
  if (report.workspace === "other")
    return { kind: "blocked", reason: "workspace_not_a_directory" };
  if (!report.installed)
    return { kind: "workspace-only", reason: "agent_not_installed" };
  return { kind: "restart-agent", strategy: strategyFor(state) };
};

/** How the conversation comes back, as far as it can be known before the agent's handshake. */
export const strategyFor = (
  state: Pick<State, "booted" | "token" | "abilities" | "last_turn">,
): Resume["strategy"] => {
  if (!state.booted) return "none";
  if (state.token !== null && canResumeNatively(state.abilities))
    return "native";
  return state.abilities.injection ? "injected" : "fresh";
};

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
  if (canResumeNatively(abilities) && state.token !== null)
    return { possible: true, reason: "agent_not_running" };
  if (abilities.injection || !state.booted)
    return { possible: true, reason: "agent_not_running_fresh_start" };
  return canResumeNatively(abilities)
    ? { possible: false, reason: "missing_resume_token" }
    : { possible: false, reason: "not_resumable" };
};

/** What a resume achieved, once the agent said how its session came about. */
export const gradeResume = (
  state: State,
  ready: {
    opened: "new" | "resumed" | "loaded";
    verified: boolean;
    abilities: Abilities;
    failed: { reason: string; message: string } | null;
  },
  took_ms: number,
): Resume => {
  const path = state.execution?.path ?? "none";
  const base = { path, workspace: "unchanged" as const, took_ms };
  if (ready.opened !== "new" && ready.verified)
    return {
      ...base,
      strategy: "native",
      grade: "native",
      verified: true,
      lost: null,
    };
  const why = ready.failed === null ? "" : ` (${ready.failed.message})`;
  const turns = state.last_turn;
  const nothingToLose = turns === 0;
  if (ready.abilities.injection)
    return {
      ...base,
      strategy: "injected",
      grade: "injected",
      verified: false,
      lost: nothingToLose
        ? null
        : `The agent's own memory of ${countTurns(turns)}${why}: it is given the history as text with the next prompt.`,
    };
  return {
    ...base,
    strategy: "fresh",
    grade: "fresh",
    verified: false,
    lost: nothingToLose
      ? null
      : `The conversation of ${countTurns(turns)}${why}: the agent starts without any memory of it.`,
  };
};

const countTurns = (turns: number): string =>
  turns === 1 ? "1 turn" : `${turns} turns`;
