import * as z from "zod";

/** Why a turn was cut off. */
export const InterruptionCode = z.enum([
  /** Somebody paused the session. */
  "paused",
  /** The agent ended by itself, or nobody knows how. */
  "agent_died",
  /** The agent was stopped for another reason than a pause. */
  "agent_stopped",
  "session_ended",
  "quota",
  /** The session was moved to another home. */
  "moved",
]);
export type InterruptionCode = z.infer<typeof InterruptionCode>;
