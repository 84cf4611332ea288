/**
 * How a session's agent is brought back: one decision, from the state and what can be seen of the world. Whoever asks
 * (status, resume, a prompt, start-up, the order to agentctl) asks here.
 *
 *     executionStep ── alive ──────────► reattach
 *          │        ── under way ──────► wait
 *          │        ── nobody can tell ► wait
 *          └ none, or gone ──► decideStart ──► start { workspace, opening } or refuse { reason }
 */
import {
  type Abilities,
  canResumeNatively,
} from "../../contract/agent/agent.ts";
import type { Memory } from "../../contract/session/checkpoint.ts";
import type { Rebuild } from "../../contract/link/link-workspace.ts";
import { type OpenFailure, openingOf } from "../../contract/agent/opening.ts";
import type { Resume, ResumeReason } from "../../contract/agent/resume.ts";
import { isTerminal } from "../../contract/session/state.ts";
import { gitOf, isMoved } from "../state/moment.ts";
import { savedMemory } from "../state/saved-memory.ts";
import type { Execution } from "../state/execution.ts";
import type { State } from "../state/state.ts";
import type { WorldReport } from "../state/world-report.ts";

export type ResumeDecision =
  /** The agent lives. If the link to it is gone, it is made again. */
  | { kind: "reattach" }
  /** Something has to come first: agentctl, or the end of a start, a stop or a rewind. */
  | { kind: "wait"; for: "agentctl" | "start" | "stop" | "rewind" }
  | StartDecision
  | { kind: "refuse"; reason: "ended" | "deleted" };

export type StartDecision = Start | { kind: "refuse"; reason: StartRefusal };

export interface Start {
  kind: "start";
  /** The workspace is there, or is put back first: from a checkpoint, or from its repository. */
  workspace: "present" | "restored";
  opening: SessionOpening;
  path: Resume["path"];
  rebuild: Rebuild;
}

export type StartRefusal = Extract<
  ResumeReason,
  "workspace_missing" | "workspace_not_a_directory" | "agent_not_installed"
>;

/** How the conversation comes back, as far as it can be known before the agent's handshake. */
export type SessionOpening =
  /** The agent never took a prompt: there is nothing to bring back. */
  | { strategy: "none" }
  | { strategy: "native"; token: string }
  /** `failed`: why the agent's own session is not asked for, although there is one. */
  | { strategy: "injected"; failed: OpenFailure | null }
  | { strategy: "fresh"; failed: OpenFailure | null; reason: FreshReason };

/** Why an agent would start without any memory. */
export type FreshReason = Extract<
  ResumeReason,
  "not_resumable" | "missing_resume_token" | "agent_session_missing"
>;

/** `report`: null when the place could not be reached. */
export const decideResume = (
  state: State,
  report: WorldReport | null,
): ResumeDecision => {
  if (state.deleted_at !== null) return { kind: "refuse", reason: "deleted" };
  if (isTerminal(state.lifecycle.name))
    return { kind: "refuse", reason: "ended" };
  if (report === null) return { kind: "wait", for: "agentctl" };
  const { execution } = state;
  if (execution !== null && report.agent === "alive")
    return executionStep(execution, "alive") === "reattach"
      ? { kind: "reattach" }
      : { kind: "wait", for: underWay(execution) };
  if (state.checkpoints.rewinding !== null)
    return { kind: "wait", for: "rewind" };
  return decideStart(state, report);
};

const underWay = ({ phase }: Execution): "start" | "stop" =>
  phase.kind === "stopping" ? "stop" : "start";

/** What to do about an execution that is in the journal and that the server is not attached to. */
export type ExecutionStep =
  /** It lives and takes prompts: it is listened to again, and that counts as a resume. */
  | "reattach"
  /** It lives and is on its way up or out: it is listened to again. */
  | "attach"
  /** It has ended, and agentctl tells how: its last words come first. */
  | "conclude"
  /** The order to start it never arrived: it is given again. */
  | "launch"
  /** Nobody knows it any more. */
  | "lose";

/** `agent`: as agentctl knows it. It may have ended, or be unknown there. */
export const executionStep = (
  { phase }: Execution,
  agent: "alive" | "ended" | "unknown",
): ExecutionStep => {
  if (agent === "ended") return "conclude";
  if (agent === "alive") return phase.kind === "ready" ? "reattach" : "attach";
  return phase.kind === "starting" ? "launch" : "lose";
};

/** The same decision for a session without an execution, or with one that is gone. */
export const decideStart = (
  state: State,
  report: WorldReport,
): StartDecision => {
  const isMissing = report.workspace === "missing";
  if (isMissing && !canRestore(state))
    return { kind: "refuse", reason: "workspace_missing" };
  if (report.workspace === "other")
    return { kind: "refuse", reason: "workspace_not_a_directory" };
  if (!report.installed)
    return { kind: "refuse", reason: "agent_not_installed" };
  const memory = memoryToPlace(state, report);
  const { newest: checkpoint } = state.checkpoints;
  const isCold = isMissing || memory !== null;
  return {
    kind: "start",
    workspace: isMissing ? "restored" : "present",
    opening: sessionOpening(state, report),
    path: isCold ? "cold" : state.agent.booted ? "fast" : "none",
    rebuild: {
      tree: checkpoint?.tree ?? null,
      restore: isMissing,
      ...(checkpoint !== null &&
        isMoved(state.workspace, checkpoint) && { moved: true }),
      ...gitToPlace(state),
      memory,
    },
  };
};

const canRestore = ({ checkpoints, workspace }: State): boolean =>
  checkpoints.newest !== null || workspace.worktree !== null;

const gitToPlace = ({
  checkpoints: { newest },
  workspace,
}: State): Pick<Rebuild, "git"> => {
  const git = newest && gitOf(workspace, newest);
  return git ? { git } : {};
};

/** What was set aside for the agent; or what was saved of its session, where that is gone. */
const memoryToPlace = (
  state: State,
  { transcript }: Pick<WorldReport, "transcript">,
): Memory | null =>
  state.agent.memory ?? (transcript === "missing" ? savedMemory(state) : null);

/** Where the place could not be reached, the journal alone decides. */
export const sessionOpening = (
  state: State,
  report: WorldReport | null,
): SessionOpening => {
  const { booted, abilities, memory, token } = state.agent;
  if (!booted) return { strategy: "none" };
  const opening = openingOf({
    token: memory?.token ?? token,
    abilities,
    transcript: report === null ? "intact" : transcriptSeen(state, report),
  });
  if (opening.kind === "native")
    return { strategy: "native", token: opening.token };
  const { failed } = opening;
  if (abilities.injection) return { strategy: "injected", failed };
  return { strategy: "fresh", failed, reason: freshReason(abilities, failed) };
};

/** A file that is gone and was recorded is missing, unless it is put back. Whether it is the recorded one only agentctl can tell. */
const transcriptSeen = (state: State, report: WorldReport) => {
  if (memoryToPlace(state, report) !== null) return "intact";
  if (state.agent.transcript === null) return "unrecorded";
  return report.transcript === "missing" ? "missing" : "intact";
};

const freshReason = (
  abilities: Abilities,
  failed: OpenFailure | null,
): FreshReason => {
  if (!canResumeNatively(abilities)) return "not_resumable";
  return failed === null ? "missing_resume_token" : "agent_session_missing";
};
