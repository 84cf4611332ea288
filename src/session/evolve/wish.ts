/** What a person or a program asked of a session, told from what Reprise does by itself. */
import type { Event } from "../../contract/event/event.ts";

export const isWish = (event: Event): boolean => {
  switch (event.type) {
    case "session.created":
    case "session.imported":
    case "session.undeleted":
    case "session.rewind.requested":
    case "session.handed_off":
    case "session.turn.cancel_requested":
    case "session.change.requested":
    case "session.changed":
      return true;
    case "session.definition.changed":
      return event.data.change === undefined;
    case "session.prompt.queued":
      return event.data.queued_by === undefined;
    case "session.prompt.resolved":
      // The others queue a prompt, which says for itself who asked for it.
      return event.data.action === "drop";
    case "session.permission.answered":
      return event.data.by === undefined;
    case "session.resume.requested":
      return event.data.trigger === "request";
    default:
      return false;
  }
};
