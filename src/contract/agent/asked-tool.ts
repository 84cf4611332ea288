/** The tool call that a permission is asked for, as far as somebody who answers has to know it. */
import * as z from "zod";

export const AskedTool = z.object({
  /** The agent's own name for the call. */
  id: z.string().nullable(),
  /** ACP's tool kind: read, edit, delete, move, search, execute, think, fetch, switch_mode, other. */
  kind: z.string().nullable(),
  title: z.string().nullable(),
  /** The command line that it runs. */
  command: z.string().nullable(),
  /** Files that it is about. */
  paths: z.array(z.string()),
  /** What it changes in them, as a unified diff. */
  diff: z.string().nullable(),
  /** What it is given, as JSON, where that is neither a command nor a change of files. */
  input: z.string().nullable(),
  /** The fields of which only the beginning is here. */
  shortened: z
    .array(z.enum(["title", "command", "paths", "diff", "input"]))
    .optional(),
});
export type AskedTool = z.infer<typeof AskedTool>;
