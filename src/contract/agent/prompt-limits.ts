import * as z from "zod";
import { PermissionPolicy } from "./permission.ts";

/** The limits of one prompt, as a journal holds them: they hold for the turn of that prompt, on top of the session's own. */
export const PromptLimits = z.object({
  /** The only tools that the agent may use. */
  allowed_tools: z.array(z.string()).optional(),
  disallowed_tools: z.array(z.string()).optional(),
  /** At the call after these the turn is cancelled. */
  max_tool_calls: z.number().int().optional(),
  /** What is answered without asking a person, instead of the session's own policy. */
  permissions: PermissionPolicy.optional(),
});
export type PromptLimits = z.infer<typeof PromptLimits>;

/** Why Reprise cancels a turn by itself; the turn's `stop_reason` is the same word. */
export const LimitReached = z.enum(["max_tool_calls", "budget"]);
export type LimitReached = z.infer<typeof LimitReached>;

/** Of whatever has limits: no field where there are none. */
export const limitsOf = (
  of: { limits?: PromptLimits | undefined } | undefined,
): { limits?: PromptLimits } =>
  of?.limits === undefined ? {} : { limits: of.limits };
