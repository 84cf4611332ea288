import type { Event, EventOf } from "../../contract/event/event.ts";
import type { StateName } from "../../contract/session/state.ts";
import { unreachable } from "../../kit/unreachable.ts";
import type { Lifecycle, State } from "../state/state.ts";

/** Somebody did something: the session is not idle. */
export const active = (state: State, event: Event): State => ({
  ...state,
  times: { ...state.times, last_active_at: event.at },
});

export const enter = (
  from: Lifecycle,
  to: StateName,
  event: EventOf<"session.state_changed">,
): Lifecycle => {
  // The events that carry a state's own data come first and have entered it already.
  if (from.name === to) return from;
  switch (to) {
    case "ERROR": {
      const { message, restriction, code, failure } = event.data;
      return {
        name: "ERROR",
        message: message ?? "",
        ...(restriction !== undefined && { restriction }),
        ...(failure !== undefined && { failure }),
        ...(code !== undefined && { code }),
      };
    }
    case "PAUSED":
      return event.data.reason === "idle"
        ? { name: "PAUSED", idle: true }
        : { name: "PAUSED" };
    case "STARTING":
    case "RUNNING":
      throw new Error(`${to} is entered by the event that carries its data`);
    case "CREATED":
    case "WAITING_FOR_INPUT":
    case "COMPLETED":
    case "CANCELLED":
    case "FAILED":
      return { name: to };
    default:
      return unreachable(to);
  }
};
