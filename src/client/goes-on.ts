/** A turn that was cut off may go on without anybody's doing. The server decides that; this reads it. */
import type { PromptId } from "../contract/base/id.ts";
import type { Event } from "../contract/event/event.ts";
import type { Session } from "../contract/session/session.ts";
import { isTerminal } from "../contract/session/state.ts";

/** `decided`: nobody waits for a decision about it any more, and an event tells which it was. */
export type CutTurn = "goes_on" | "waits" | "decided";

export const cutTurnIn = (session: Session, prompt: PromptId): CutTurn => {
  const cut = session.unresolved_prompts.find(({ id }) => id === prompt);
  if (cut === undefined) return "decided";
  return (cut.goes_on ?? null) === null ? "waits" : "goes_on";
};

/** After such an event a turn that was to go on by itself may need somebody. */
export const mayStopGoingOn = (event: Event): boolean => {
  switch (event.type) {
    case "session.state_changed":
      return (
        event.data.to === "PAUSED" ||
        event.data.to === "ERROR" ||
        isTerminal(event.data.to)
      );
    case "session.notice":
      return event.data.code === "continuation_limit";
    // Another turn: the one that was cut off is not continued any more.
    case "session.turn.started":
    case "session.budget.reached":
    case "session.budget.changed":
    case "session.quota.passed_over":
    case "session.changed":
    case "session.rewound":
    case "session.deleted":
      return true;
    default:
      return false;
  }
};
