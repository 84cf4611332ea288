/** Directories of a machine whose paths begin as somebody typed. */
import * as z from "zod";

/** So many in one answer. Who wants others types more. */
export const MAX_DIRECTORIES = 200;

export const Directories = z.object({
  /** The directory that was looked into; ends with `/`. */
  parent: z.string(),
  /** Names of directories in there, and of links to directories. Those whose bytes are not UTF-8 are left out. */
  names: z.array(z.string()),
  /** There are more. */
  truncated: z.boolean(),
});
export type Directories = z.infer<typeof Directories>;
