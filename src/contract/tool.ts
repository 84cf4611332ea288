import { z } from "zod";

export const ToolStatus = z.enum([
  "pending",
  "in_progress",
  "completed",
  "failed",
  /** The agent died during the call: whether it had its effect is unknown. */
  "interrupted",
]);
export type ToolStatus = z.infer<typeof ToolStatus>;

/** What a tool call shows. Each update carries only what changed; `mergeTool` puts them together. */
export const Tool = z.object({
  id: z.string(),
  title: z.string().optional(),
  /** ACP's tool kind: read, edit, delete, move, search, execute, think, fetch, switch_mode, other. */
  kind: z.string().optional(),
  status: ToolStatus.optional(),
  /** The textual result so far. */
  output: z.string().optional(),
  /** What follows the output so far, from agents that tell it piece by piece. */
  more_output: z.string().optional(),
  diffs: z
    .array(
      z.object({
        path: z.string(),
        old_text: z.string().nullable(),
        new_text: z.string(),
      }),
    )
    .optional(),
  locations: z
    .array(z.object({ path: z.string(), line: z.number().optional() }))
    .optional(),
  input: z.unknown().optional(),
});
export type Tool = z.infer<typeof Tool>;

/** A tool call after an update of it. */
export const mergeTool = (
  before: Tool | undefined,
  { more_output, ...change }: Tool,
): Tool => {
  const tool = { ...before, ...change };
  return more_output === undefined
    ? tool
    : { ...tool, output: (tool.output ?? "") + more_output };
};
