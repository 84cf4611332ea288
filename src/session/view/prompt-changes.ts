import type { Event } from "../../contract/event/event.ts";
import type { PromptChange } from "../../contract/session/prompt.ts";
import type { State } from "../state/state.ts";

/** What these events change about prompts, in order. */
export const promptChanges = (
  events: readonly Event[],
  after: State,
): PromptChange[] => {
  const changes = events.flatMap(promptChange);
  const { lifecycle } = after;
  if (lifecycle.name === "RUNNING" && lifecycle.turn.began) {
    const { prompt_id: id, number: turn } = lifecycle.turn;
    const begins = events.some(
      (event) =>
        event.type === "session.prompt.delivered" ||
        (event.type === "session.message.added" &&
          event.data.message.role !== "user") ||
        event.type === "session.permission.requested",
    );
    if (begins) changes.push({ id, state: "running", turn });
  }
  return changes;
};

const promptChange = (event: Event): PromptChange[] => {
  switch (event.type) {
    case "session.prompt.queued":
      return [
        {
          id: event.data.prompt_id,
          state: "queued",
          turn: null,
          seq: event.seq,
        },
      ];
    case "session.turn.started":
    case "session.prompt.requeued":
      return [
        { id: event.data.prompt_id, state: "queued", turn: event.data.turn },
      ];
    case "session.prompt.delivered":
      return [
        { id: event.data.prompt_id, state: "delivered", turn: event.data.turn },
      ];
    case "session.turn.ended":
      return [
        { id: event.data.prompt_id, state: "done", turn: event.data.turn },
      ];
    case "session.turn.interrupted":
      return [
        {
          id: event.data.prompt_id,
          state: "interrupted",
          turn: event.data.turn,
        },
      ];
    case "session.prompt.uncertain":
      return [
        { id: event.data.prompt_id, state: "uncertain", turn: event.data.turn },
      ];
    case "session.prompt.cancelled":
      return [{ id: event.data.prompt_id, state: "cancelled", turn: null }];
    case "session.prompt.resolved":
      return event.data.action === "continue"
        ? []
        : [{ id: event.data.prompt_id, state: "cancelled", turn: null }];
    default:
      return [];
  }
};
