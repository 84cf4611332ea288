import * as z from "zod";
import { fitting, MAX_TEXT } from "../base/text-limit.ts";

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
  /** How many characters of the result are not in `output`: it holds the first `MAX_TEXT`, the events hold all. */
  output_omitted: z.number().int().positive().optional(),
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
  const { output_omitted: _before, ...tool } = { ...before, ...change };
  const known =
    change.output === undefined
      ? { output: before?.output, omitted: before?.output_omitted ?? 0 }
      : cut(change.output);
  const { output, omitted } =
    more_output === undefined ? known : extended(known, more_output);
  return {
    ...tool,
    ...(output === undefined ? {} : { output }),
    ...(omitted === 0 ? {} : { output_omitted: omitted }),
  };
};

interface Output {
  output: string | undefined;
  omitted: number;
}

const extended = ({ output = "", omitted }: Output, more: string): Output =>
  omitted > 0 ? { output, omitted: omitted + more.length } : cut(output + more);

const cut = (whole: string): Output => {
  const end = fitting(whole, MAX_TEXT);
  return { output: whole.slice(0, end), omitted: whole.length - end };
};
