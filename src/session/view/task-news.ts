import type { Event, EventType } from "../../contract/event/event.ts";
import type { PromptId } from "../../contract/base/id.ts";
import type { State } from "../state/state.ts";

/** Whether the session's task has to be told of these events: they change something that it goes by. */
export const isTaskNews = (
  events: readonly Event[],
  before: State | null,
  after: State,
): boolean => {
  if (after.created.task_id === null) return false;
  return (
    before === null ||
    before.lifecycle.name !== after.lifecycle.name ||
    before.turns.over !== after.turns.over ||
    isAsking(before) !== isAsking(after) ||
    promptAtWork(before) !== promptAtWork(after) ||
    isCaptureDue(before) !== isCaptureDue(after) ||
    before.deleted_at !== after.deleted_at ||
    events.some(({ type }) => aboutPrompts.has(type))
  );
};

const isAsking = ({ permissions }: State): boolean =>
  permissions.pending.length > 0;

/** The prompt that the agent has and is not done with. */
const promptAtWork = ({ lifecycle }: State): PromptId | null =>
  lifecycle.name === "RUNNING" && lifecycle.turn.delivery.kind === "delivered"
    ? lifecycle.turn.prompt_id
    : null;

const isCaptureDue = ({ checkpoints }: State): boolean =>
  checkpoints.due !== null;

/** A prompt may begin and end between two states that look the same. */
const aboutPrompts: ReadonlySet<EventType> = new Set<EventType>([
  "session.prompt.queued",
  "session.prompt.cancelled",
  "session.prompt.uncertain",
  "session.prompt.resolved",
  "session.turn.started",
  "session.turn.ended",
  "session.turn.interrupted",
]);
