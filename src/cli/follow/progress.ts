/** Is there anything left to wait for? A fold over the events that someone follows. */
import type { Event } from "../../contract/event/event.ts";
import type { PromptId } from "../../contract/base/id.ts";
import type { Session } from "../../contract/session/session.ts";
import { isTerminal } from "../../contract/session/state.ts";
import {
  afterEvent,
  isAtRest,
  noPrompts,
  type Prompts,
  promptsOf,
  withQueued,
} from "../../client/prompt/prompt-phases.ts";
import {
  isBehind,
  isOpen,
  needsView,
  newestPrompt,
  type PromptStatus,
  statusOf,
} from "../../client/prompt/prompt-status.ts";

export interface Progress {
  prompts: Prompts;
  /** The event after which it is followed. A session that was at rest before that is waited for. */
  since: number;
  /** The prompt that is watched, whatever is queued behind it; `first` until the first one is queued. */
  awaited: PromptId | "first" | null;
  /** How the last turn went. */
  lastTurn: "none" | "completed" | "failed";
}

/** Before the first event of a session. */
export const nothingYet: Progress = {
  prompts: noPrompts,
  since: 0,
  awaited: null,
  lastTurn: "none",
};

/** As a session stands: the events after its `last_seq` go on from here. */
export const progressOf = (session: Session): Progress => ({
  ...nothingYet,
  prompts: promptsOf(session),
  since: session.last_seq,
});

/** The same session, for the sake of one prompt that is queued, whose turn runs, or that was cut off and goes on. */
export const awaiting = (
  { prompts }: Progress,
  awaited: PromptId,
): Progress => ({
  ...nothingYet,
  prompts:
    prompts.phases.get(awaited)?.kind === "cut"
      ? prompts
      : withQueued(prompts, awaited),
  since: prompts.seq,
  awaited,
});

export const advance = (progress: Progress, event: Event): Progress => ({
  ...progress,
  prompts: afterEvent(progress.prompts, event),
  awaited:
    progress.awaited === "first" && event.type === "session.prompt.queued"
      ? event.data.prompt_id
      : progress.awaited,
  lastTurn: lastTurnAfter(progress, event),
});

const lastTurnAfter = (
  { lastTurn }: Progress,
  event: Event,
): Progress["lastTurn"] => {
  switch (event.type) {
    case "session.turn.ended":
      return event.data.outcome === "completed" ? "completed" : "failed";
    case "session.turn.interrupted":
    case "session.prompt.uncertain":
      return "failed";
    case "session.state_changed":
      return event.data.to === "ERROR" ? "failed" : lastTurn;
    default:
      return lastTurn;
  }
};

/** Nothing is left to wait for, as far as is known: `isDoubtful` says whether the session has to be read first. */
export const isSettled = (progress: Progress): boolean => {
  const { prompts, since, awaited } = progress;
  const { state, seq } = prompts;
  if (isTerminal(state)) return true;
  if (followed(progress).some((id) => isPending(progress, id))) return false;
  if (awaited !== null && awaited !== "first") return true;
  if (isAtRest(state) && seq > since) return !isBehind(prompts);
  return awaited === null && state !== "STARTING" && state !== "RUNNING";
};

/** Only the server knows whether a turn that was cut off goes on, and whether a session at rest has gone on since. */
export const isDoubtful = (progress: Progress): boolean => {
  const { prompts } = progress;
  const { seq, state, view } = prompts;
  const isUnseen = (view?.last_seq ?? 0) < seq;
  return (
    (isUnseen && isAtRest(state) && !isTerminal(state)) ||
    followed(progress).some((id) => needsView(prompts, id))
  );
};

/** When the session goes on by itself with a turn that was cut off, null for as soon as it can; undefined where there is none. */
export const goesOnAt = (progress: Progress): string | null | undefined =>
  followed(progress)
    .map((id) => statusOf(progress.prompts, id))
    .find((status) => status.kind === "goes_on")?.at;

/** Until when a prompt waits for a quota, null for as soon as it can; undefined where none does. */
export const waitsUntil = (progress: Progress): string | null | undefined =>
  followed(progress)
    .map((id) => statusOf(progress.prompts, id))
    .find((status) => status.kind === "waits")?.until;

/** The agent is there and a prompt waits all the same: what lies in the workspace is captured first. */
export const isCapturing = ({ prompts }: Progress): boolean =>
  prompts.state === "WAITING_FOR_INPUT" &&
  prompts.phases
    .entries()
    .some(
      ([id, { kind }]) =>
        kind === "queued" && statusOf(prompts, id).kind === "queued",
    );

export const hasFailed = ({
  prompts,
  awaited,
  lastTurn,
}: Progress): boolean => {
  if (awaited === null || awaited === "first") return lastTurn === "failed";
  const status = statusOf(prompts, awaited);
  return status.kind === "ended"
    ? status.end.outcome !== "completed"
    : !isOpen(status);
};

const followed = ({ prompts, awaited }: Progress): PromptId[] => {
  if (awaited === null) return [...prompts.phases.keys()];
  return awaited === "first" ? [] : [awaited];
};

/** What a session at rest left waiting when the following began is waited for: whoever follows has woken it. */
const isPending = ({ prompts, since }: Progress, id: PromptId): boolean => {
  const status = statusOf(prompts, id);
  return isOpen(status) || (isHeld(status) && prompts.seq <= since);
};

const isHeld = ({ kind }: PromptStatus): boolean =>
  kind === "paused" || kind === "start_failed";

/** The prompt that was cut off, when somebody has to decide about it. */
export const undecided = (progress: Progress): PromptId | undefined =>
  followed(progress)
    .map((id) => newestPrompt(progress.prompts, id))
    .find((id) => statusOf(progress.prompts, id).kind === "interrupted");
