import * as z from "zod";

/** A place where agents can run, as it was found when somebody asked. */
export const ExecutorPlace = z.object({
  executor: z.string(),
  /** The name of the host; null for the machine of the server. */
  host: z.string().nullable(),
  /** Whether a session could be started there now. */
  available: z.boolean(),
  /** What is the matter, and what to do about it; null where it is available. */
  why: z.string().nullable(),
  /** Of the agentctl that answers there; null where none does. On the machine of the server it is started when it is needed. */
  build: z.string().nullable(),
  arch: z.string().nullable(),
  /** How long it took to answer an order. */
  latency_ms: z.number().nullable(),
  /** Whether sessions there can have a sandbox, and otherwise why not; null where that is not known. */
  sandbox: z
    .object({ available: z.boolean(), why: z.string().nullable() })
    .nullable()
    .default(null),
  /** How many sessions have an agent there, or wait for one. */
  sessions: z.int(),
});
export type ExecutorPlace = z.infer<typeof ExecutorPlace>;
