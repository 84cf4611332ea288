import * as z from "zod";

/** How many tools a prompt's agent is limited to, and whether it is told so in words, with the prompt or in its system prompt. */
export const ToldRestrictions = z.object({
  /** Null: all that it has. */
  allowed: z.number().int().nullable(),
  disallowed: z.number().int(),
  told: z.boolean(),
  /** How many tool calls the turn may make, where the prompt says so. */
  max_tool_calls: z.number().int().optional(),
});
export type ToldRestrictions = z.infer<typeof ToldRestrictions>;
