import type { Event, EventType } from "../../contract/event/event.ts";
import type { State } from "../state/state.ts";

/** Whether whoever follows all sessions need not be told: only what the agent says and does in the middle of its turn changed. */
export const isQuiet = (
  events: readonly Event[],
  before: State | null,
): boolean =>
  before !== null && events.every(({ type }) => inTheTurn.has(type));

const inTheTurn: ReadonlySet<EventType> = new Set<EventType>([
  "session.message.added",
  "session.message.updated",
  "session.tool.updated",
  "session.plan.updated",
  "session.usage",
  "session.agent.update",
  "session.permission.delivered",
]);
