import * as z from "zod";

const base = {
  /** The test file; absent when its process runs only one. */
  file: z.string().exactOptional(),
  name: z.string(),
  ms: z.number(),
};

/** How one test ended. Travels as a line of JSON from the reporter in the test's process to the runner. */
export const Outcome = z.discriminatedUnion("type", [
  z.object({ type: z.literal("passed"), ...base }),
  z.object({ type: z.literal("failed"), ...base, error: z.string() }),
  z.object({ type: z.literal("skipped"), ...base, reason: z.string() }),
]);
export type Outcome = z.infer<typeof Outcome>;

/** What the reporter says. */
export const Line = z.union([
  Outcome,
  /** A test begins: it is what a file was doing that is not heard of again. */
  z.object({ type: z.literal("began"), name: z.string() }),
]);
export type Line = z.infer<typeof Line>;
