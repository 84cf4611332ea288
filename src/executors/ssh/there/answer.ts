/** The line that the relay on a host begins with, before the bytes of the link. */
import * as z from "zod";

export const RelayAnswer = z.discriminatedUnion("kind", [
  /** What follows goes to and comes from agentctl. */
  z.object({
    kind: z.literal("connected"),
    token: z.string().regex(/^[0-9a-f]{64}$/),
    socket: z.string().max(4096),
  }),
  /** Nobody listens, and nobody was to be started. */
  z.object({ kind: z.literal("nobody") }),
  z.object({
    kind: z.literal("failed"),
    /** Of a problem; anything else is the host's doing too. */
    code: z.string().max(100),
    message: z.string().max(10_000),
  }),
]);
export type RelayAnswer = z.infer<typeof RelayAnswer>;
