import * as z from "zod";

/** Where a session stands. Names are for ever: they rest in journals. */
export const StateName = z.enum([
  "CREATED",
  "STARTING",
  "RUNNING",
  "WAITING_FOR_INPUT",
  "PAUSED",
  "ERROR",
  "COMPLETED",
  "CANCELLED",
  "FAILED",
]);
export type StateName = z.infer<typeof StateName>;

/** The coarse word for the same thing, for people and simple programs. */
export const StatusName = z.enum([
  "creating",
  "active",
  "paused",
  "error",
  "ended",
]);
export type StatusName = z.infer<typeof StatusName>;

/** Why a state changed. */
export const StateReason = z.enum([
  "start",
  "resume",
  "prompt",
  "ready",
  "turn_ended",
  "interrupted",
  "agent_ended",
  "paused",
  "idle",
  "start_failed",
  "resume_failed",
  "unknown_token",
  "requested",
  "ttl",
  "gave_up",
  "rewind",
  "handoff",
  "imported",
  "deleted",
  /** The prompt could not be handed to the agent, and never will be as it is. */
  "delivery_failed",
  /** The agent runs with other credentials than those of the person who asks. */
  "credentials_changed",
]);
export type StateReason = z.infer<typeof StateReason>;

export const isTerminal = (state: StateName): boolean =>
  state === "COMPLETED" || state === "CANCELLED" || state === "FAILED";
