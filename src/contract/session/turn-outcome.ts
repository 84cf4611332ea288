import * as z from "zod";

/** How a turn ended that was not cut off. */
export const TurnOutcome = z.enum([
  "completed",
  "cancelled",
  "refused",
  "failed",
]);
export type TurnOutcome = z.infer<typeof TurnOutcome>;
