import type { Event, EventType } from "../../contract/event/event.ts";
import type { State } from "../state/state.ts";

/** Whether whoever follows all sessions need not be told: only what the agent says and does in the middle of its turn changed. */
export const isQuiet = (
  events: readonly Event[],
  before: State | null,
  after: State,
): boolean =>
  before !== null &&
  events.every(({ type }) => inTheTurn.has(type)) &&
  isSameOffer(before.agent, after.agent);

/** An agent may leave its mode by itself, and change what it offers. */
const isSameOffer = (
  before: Pick<State["agent"], "offered" | "applied">,
  after: Pick<State["agent"], "offered" | "applied">,
): boolean =>
  isSame(before.offered, after.offered) &&
  isSame(before.applied, after.applied);

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

const inTheTurn: ReadonlySet<EventType> = new Set<EventType>([
  "session.message.added",
  "session.message.updated",
  "session.tool.updated",
  "session.plan.updated",
  "session.usage",
  "session.agent.update",
  "session.permission.delivered",
]);
