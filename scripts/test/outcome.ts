import { z } from "zod";

const base = { name: z.string(), ms: z.number() };

/** How one test ended. Travels as a line of JSON from the reporter in the test's process to the runner. */
export const Outcome = z.discriminatedUnion("type", [
  z.object({ type: z.literal("passed"), ...base }),
  z.object({ type: z.literal("failed"), ...base, error: z.string() }),
  z.object({ type: z.literal("skipped"), ...base, reason: z.string() }),
]);
export type Outcome = z.infer<typeof Outcome>;
