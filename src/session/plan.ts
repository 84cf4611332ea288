import { canResumeNatively } from "../contract/agent.ts";
import type { Resume } from "../contract/resume.ts";
import { isTerminal } from "../contract/state.ts";
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

/** How to bring a session's agent back. One decision, for whoever asks. */
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
