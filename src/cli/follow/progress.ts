/**
 * Is there anything left to wait for? A fold over the events that someone follows.
 *
 *   prompt.queued ──► open ──► turn.ended · turn.interrupted · cancelled · uncertain · resolved ──► gone
 *   settled: the awaited prompt is gone; or, awaiting none, nothing is open and no agent starts or works;
 *            or the session came to rest with prompts still waiting
 */
import { ofLaterRelease } from "../../client/client.ts";
import type { Event } from "../../contract/event/event.ts";
import type { PromptId } from "../../contract/base/id.ts";
import type { Session } from "../../contract/session/session.ts";
import { type StateName, isTerminal } from "../../contract/session/state.ts";

export interface Progress {
  state: StateName;
  /** Prompts that wait or run. */
  open: ReadonlySet<PromptId>;
  /** Paused, failed or ended while being followed: nothing more will happen by itself. */
  atRest: boolean;
  /** The prompt whose turn is watched, whatever is queued behind it; `first` until the first one is queued. */
  awaited: PromptId | "first" | null;
  /** The awaited prompt's turn is over. */
  isOver: boolean;
  /** How the last turn went, or the awaited one. */
  outcome: "none" | "completed" | "failed";
}

/** Before the first event of a session. */
export const nothingYet: Progress = {
  state: "CREATED",
  open: new Set(),
  atRest: false,
  awaited: null,
  isOver: false,
  outcome: "none",
};

/** As a session stands: the events after its `last_seq` go on from here. */
export const progressOf = (session: Session): Progress => ({
  ...nothingYet,
  state: session.state,
  open: new Set(session.queued_prompts.map(({ id }) => id)),
});

export const isSettled = (progress: Progress): boolean => {
  const { state, open, atRest, awaited, isOver } = progress;
  if (atRest || isTerminal(state)) return true;
  if (awaited !== null) return isOver;
  return open.size === 0 && state !== "STARTING" && state !== "RUNNING";
};

/** The agent is there and a prompt waits all the same: what lies in the workspace is captured first. */
export const isCapturing = ({ state, open }: Progress): boolean =>
  state === "WAITING_FOR_INPUT" && open.size > 0;

export const advance = (progress: Progress, event: Event): Progress => {
  switch (event.type) {
    case "session.state_changed":
      return changeState(progress, event.data.to);
    case "session.prompt.queued":
    case "session.prompt.requeued":
      return {
        ...progress,
        atRest: false,
        awaited:
          progress.awaited === "first"
            ? event.data.prompt_id
            : progress.awaited,
        open: progress.open.union(new Set([event.data.prompt_id])),
      };
    case "session.turn.ended":
      return close(
        progress,
        event.data.prompt_id,
        event.data.outcome === "completed" ? "completed" : "failed",
      );
    case "session.turn.interrupted":
    case "session.prompt.uncertain":
      return close(progress, event.data.prompt_id, "failed");
    case "session.prompt.cancelled":
      return close(
        progress,
        event.data.prompt_id,
        progress.awaited === null ? progress.outcome : "failed",
      );
    case "session.prompt.resolved":
      return close(progress, event.data.prompt_id, progress.outcome);
    case "session.created":
    case "session.definition.changed":
    case "session.changed":
    case "session.change.requested":
    case "session.change.refused":
    case "session.resume.requested":
    case "session.execution.started":
    case "session.execution.stopping":
    case "session.execution.ended":
    case "session.agentctl_starting":
    case "session.agentctl_ready":
    case "session.agentctl_error":
    case "session.agent.ready":
    case "session.agent.update":
    case "session.resumed":
    case "session.token.recorded":
    case "session.token.cleared":
    case "session.transcript.recorded":
    case "session.prompt.delivered":
    case "session.history.injected":
    case "session.prompt.prepared":
    case "session.turn.started":
    case "session.turn.cancel_requested":
    case "session.message.added":
    case "session.message.updated":
    case "session.tool.updated":
    case "session.plan.updated":
    case "session.permission.requested":
    case "session.permission.answered":
    case "session.permission.delivered":
    case "session.permission.closed":
    case "session.usage":
    case "session.budget.reached":
    case "session.budget.changed":
    case "session.notice":
    case "session.instruction_files.recorded":
    case "session.workspace.shared":
    case "session.checkpoint.requested":
    case "session.checkpoint.skipped":
    case "session.checkpoint.saved":
    case "session.checkpoint.partial":
    case "session.checkpoint.failed":
    case "session.forked":
    case "session.rewind.requested":
    case "session.rewound":
    case "session.rewind.failed":
    case "session.handed_off":
    case "session.quota.filled":
    case "session.quota.passed_over":
    case "session.imported":
    case "session.deleted":
    case "session.undeleted":
    case "session.ended":
      return progress;
    default:
      return ofLaterRelease(event, progress);
  }
};

const changeState = (progress: Progress, state: StateName): Progress => ({
  ...progress,
  state,
  atRest: state === "PAUSED" || state === "ERROR" || isTerminal(state),
  outcome: state === "ERROR" ? "failed" : progress.outcome,
});

/** A prompt is waited for no more. While one is awaited, the others' outcomes do not count. */
const close = (
  progress: Progress,
  prompt: PromptId,
  outcome: Progress["outcome"],
): Progress => {
  const { awaited } = progress;
  return {
    ...progress,
    open: progress.open.difference(new Set([prompt])),
    isOver: progress.isOver || awaited === prompt,
    outcome:
      awaited === null || awaited === prompt ? outcome : progress.outcome,
  };
};
