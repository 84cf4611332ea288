import { canResumeNatively, type InstructionFile } from "../contract/agent.ts";
import type { Memory } from "../contract/checkpoint.ts";
import type { Rebuild } from "../contract/link-workspace.ts";
import type { Resume } from "../contract/resume.ts";
import { isTerminal } from "../contract/state.ts";
import { isMoved } from "./moment.ts";
import { savedMemory } from "./saved-memory.ts";
import type { State } from "./state.ts";

/** What can be seen of a session from outside its journal, when someone looks. */
export interface WorldReport {
  /** The newest execution's agent: `unknown` when nobody who could tell is reachable. */
  agent: "alive" | "gone" | "unknown";
  workspace: "directory" | "other" | "missing";
  installed: boolean;
  /** The agent's own session file; `unknown` when it keeps none that we know of. */
  transcript: "present" | "missing" | "unknown";
  /** Processes that the newest ended execution left behind. */
  survivors: readonly number[];
  /** Files that tell agents how to work there; undefined when nobody said. */
  instruction_files?: readonly InstructionFile[] | undefined;
}

export type ResumePlan =
  /** It lives, and only the link to it is missing. */
  | { kind: "reattach" }
  /** The workspace is there, the agent is not. It is held against the newest checkpoint. */
  | Restart<"restart-agent">
  /** The workspace or the agent's own session is missing, and is put back first. */
  | Restart<"rebuild">
  /** The workspace stays accessible, no agent comes up. */
  | { kind: "workspace-only"; reason: "agent_not_installed" }
  | { kind: "blocked"; reason: BlockReason };

interface Restart<Kind> {
  kind: Kind;
  strategy: Resume["strategy"];
  rebuild: Rebuild;
}

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
  const { checkpoint } = state;
  const missing = report.workspace === "missing";
  if (missing && !canRestore(state))
    return { kind: "blocked", reason: "workspace_missing" };
  if (report.workspace === "other")
    return { kind: "blocked", reason: "workspace_not_a_directory" };
  if (!report.installed)
    return { kind: "workspace-only", reason: "agent_not_installed" };
  const rebuild: Rebuild = {
    tree: checkpoint?.tree ?? null,
    restore: missing,
    ...(checkpoint !== null && isMoved(state, checkpoint) && { moved: true }),
    memory: memoryToPlace(state, report),
  };
  return {
    kind: missing || rebuild.memory !== null ? "rebuild" : "restart-agent",
    strategy: strategyFor(state),
    rebuild,
  };
};

const canRestore = ({ checkpoint, worktree }: State): boolean =>
  checkpoint !== null || worktree !== null;

/** What was set aside for the agent; or what was saved of its session, where that is gone. */
const memoryToPlace = (
  state: State,
  { transcript }: WorldReport,
): Memory | null =>
  state.memory ?? (transcript === "missing" ? savedMemory(state) : null);

/** How the conversation comes back, as far as it can be known before the agent's handshake. */
export const strategyFor = (
  state: Pick<State, "booted" | "token" | "memory" | "abilities">,
): Resume["strategy"] => {
  if (!state.booted) return "none";
  const known = state.memory?.token ?? state.token;
  if (known !== null && canResumeNatively(state.abilities)) return "native";
  return state.abilities.injection ? "injected" : "fresh";
};
