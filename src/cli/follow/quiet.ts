import type { Event, EventOf, EventType } from "../../contract/event/event.ts";

/** Events that go between the lines of a session that is followed; what failed is told by a notice. */
const quiet = [
  "session.instruction_files.recorded",
  "session.workspace.shared",
  "session.checkpoint.requested",
  "session.checkpoint.skipped",
  "session.checkpoint.saved",
  "session.checkpoint.partial",
  "session.checkpoint.failed",
  "session.forked",
  "session.rewind.requested",
  "session.rewind.failed",
  "session.imported",
  "session.undeleted",
  "session.created",
  "session.changed",
  "session.change.requested",
  "session.change.refused",
  "session.resume.requested",
  "session.execution.started",
  "session.execution.stopping",
  "session.execution.ended",
  "session.agentctl_starting",
  "session.agentctl_ready",
  "session.agent.ready",
  "session.agent.update",
  "session.token.recorded",
  "session.token.cleared",
  "session.transcript.recorded",
  "session.prompt.queued",
  "session.prompt.delivered",
  "session.prompt.requeued",
  "session.prompt.cancelled",
  "session.prompt.resolved",
  "session.history.injected",
  "session.prompt.prepared",
  "session.turn.started",
  "session.turn.cancel_requested",
  "session.permission.delivered",
  "session.usage",
] as const satisfies readonly EventType[];

const types: ReadonlySet<string> = new Set(quiet);

export const isQuiet = (
  event: Event,
): event is EventOf<(typeof quiet)[number]> => types.has(event.type);
