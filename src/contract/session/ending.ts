import * as z from "zod";

/** How an agent process ended: a closed vocabulary. */
export const Ending = z.discriminatedUnion("kind", [
  /** We stopped it, gracefully or not. */
  z.object({ kind: z.literal("stopped") }),
  z.object({ kind: z.literal("exited"), code: z.number().int() }),
  z.object({ kind: z.literal("killed"), signal: z.string() }),
  /** It is gone and nobody knows how: a reboot, or its wrapper was killed too. */
  z.object({ kind: z.literal("vanished") }),
  /** Its output is shorter than what was acknowledged (power loss). */
  z.object({ kind: z.literal("output_lost") }),
]);
export type Ending = z.infer<typeof Ending>;

export const describeEnding = (ending: Ending): string => {
  switch (ending.kind) {
    case "stopped":
      return "was stopped";
    case "exited":
      return `exited with code ${ending.code}`;
    case "killed":
      return `was killed by ${ending.signal}`;
    case "vanished":
      return "vanished";
    case "output_lost":
      return "lost output that had been acknowledged";
  }
};
