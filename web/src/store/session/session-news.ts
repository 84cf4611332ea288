/** What an event makes out of date. */
import type { Event, EventType } from "../../../../src/contract/event/event.ts";

/** These change nothing that the session shows besides its conversation. All others do, also those of later releases. */
const conversational: ReadonlySet<string> = new Set<EventType>([
  "session.message.added",
  "session.message.updated",
  "session.tool.updated",
  "session.plan.updated",
  "session.usage",
  "session.agent.update",
  "session.transcript.recorded",
  "session.history.injected",
  "session.prompt.prepared",
  "session.notice",
]);

/** Behind these the world is not as it was when the status was asked for. */
const ofTheWorld: ReadonlySet<string> = new Set<EventType>([
  "session.state_changed",
  "session.execution.started",
  "session.execution.ended",
  "session.agentctl_starting",
  "session.agentctl_ready",
  "session.agentctl_error",
  "session.agent.ready",
  "session.resumed",
  "session.handed_off",
  "session.imported",
  "session.deleted",
  "session.undeleted",
  "session.ended",
]);

export const changesSession = ({ type }: Event): boolean =>
  !conversational.has(type);

export const changesStatus = ({ type }: Event): boolean => ofTheWorld.has(type);
