/** The line that the relay on a host begins with, before the bytes of the link. */
import * as z from "zod";

export const RelayAnswer = z.discriminatedUnion("kind", [
  /** What follows goes to and comes from agentctl. */
  z.object({
    kind: z.literal("connected"),
    token: z.string(),
    socket: z.string(),
  }),
  /** Nobody listens, and nobody was to be started. */
  z.object({ kind: z.literal("nobody") }),
  z.object({
    kind: z.literal("failed"),
    /** Of a problem; anything else is the host's doing too. */
    code: z.string(),
    message: z.string(),
  }),
]);
export type RelayAnswer = z.infer<typeof RelayAnswer>;
