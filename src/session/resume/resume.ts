/**
 * How a session's agent is brought back, decided from the state and what can be seen of the world. Nothing here does it.
 *
 *   who asks                                                 asks           and gets
 *   recovery, for each execution that the journal has        executionStep  reattach · attach · conclude · launch · lose
 *   `execution.begin`, when agentctl is there for a start    decideStart    start { opening, rebuild } · refuse { reason }
 *   start-up, before it asks for an agent by itself          sessionOpening native · injected · fresh (not started) · none
 *   start-up with `recovery: "all"`                          isIdleAndResumable
 *   status, which promises what the others will do           decideResume   all of it:
 *
 *     in the trash ──► refuse deleted          ended ──► refuse ended          nobody could look ──► unseen
 *     the agent lives ──► executionStep: reattach, or wait while it starts or stops
 *     a rewind is under way ──► wait
 *     none of these ──► decideStart
 *
 * A resume and a prompt do not ask here. They set the session to STARTING (`askForAgent`), and what is possible is found out
 * when `execution.begin` comes. agentctl decides once more how to open the agent's session, by the same rule (`openingOf`).
 */
import {
  type Abilities,
  canResumeNatively,
} from "../../contract/agent/agent.ts";
import type { Memory } from "../../contract/session/checkpoint.ts";
import type { Rebuild } from "../../contract/session/rebuild.ts";
import { type OpenFailure, openingOf } from "../../contract/agent/opening.ts";
import type { Resume, ResumeReason } from "../../contract/agent/resume.ts";
import { isTerminal } from "../../contract/session/state.ts";
import { gitOf, isMoved } from "../state/moment.ts";
import { savedMemory } from "../state/saved-memory.ts";
import type { Execution } from "../state/execution.ts";
import type { State } from "../state/state.ts";
import type { ExecutionSeen, WorldReport } from "../state/world-report.ts";
import { unreachable } from "../../kit/unreachable.ts";

export type ResumeDecision =
  /** The agent lives. If the link to it is gone, it is made again. */
  | { kind: "reattach" }
  /** A start, a stop or a rewind is under way, and has to end first. */
  | { kind: "wait" }
  /** No agentctl is there to look. */
  | { kind: "unseen" }
  | StartDecision
  | { kind: "refuse"; reason: "ended" | "deleted" };

export type StartDecision = Start | { kind: "refuse"; reason: StartRefusal };

export interface Start {
  kind: "start";
  opening: SessionOpening;
  path: Resume["path"];
  /** What is put back first: the workspace from a checkpoint or its repository, the agent's own session files. */
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
  if (report === null) return { kind: "unseen" };
  const { execution } = state;
  if (execution !== null && report.agent === "alive")
    return executionStep(execution, "alive") === "reattach"
      ? { kind: "reattach" }
      : { kind: "wait" };
  if (state.checkpoints.rewinding !== null) return { kind: "wait" };
  return decideStart(state, report);
};

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
  /** Nobody knows it any more. At another place, nobody there ever did. */
  | "lose";

export const executionStep = (
  { phase }: Pick<Execution, "phase">,
  seen: ExecutionSeen,
): ExecutionStep => {
  switch (seen) {
    case "alive":
      return phase.kind === "ready" ? "reattach" : "attach";
    case "ended":
      return "conclude";
    case "unknown":
      return phase.kind === "starting" ? "launch" : "lose";
    case "unknown_at_another_place":
      return "lose";
    default:
      return unreachable(seen);
  }
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

/** It waits for input without an agent, and its agent can resume its own session: with `recovery: "all"` it is brought back. */
export const isIdleAndResumable = (state: State): boolean =>
  state.lifecycle.name === "WAITING_FOR_INPUT" &&
  state.execution === null &&
  state.deleted_at === null &&
  sessionOpening(state, null).strategy === "native";
