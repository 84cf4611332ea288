import * as z from "zod";

/** How much a turn changed in the workspace, compared with what it found. */
export const Changes = z.object({
  files: z.number().int().nonnegative(),
  /** Lines of text files. Null where they were not counted: there was too much to read. A binary file has none. */
  added: z.number().int().nonnegative().nullable(),
  removed: z.number().int().nonnegative().nullable(),
});
export type Changes = z.infer<typeof Changes>;
