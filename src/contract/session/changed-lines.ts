import * as z from "zod";

const lines = z.number().int().nonnegative();

/** Lines of text files that turns added and removed: each turn counts for itself, also where a later one changed the same lines. */
export const ChangedLines = z.object({ added: lines, removed: lines });
export type ChangedLines = z.infer<typeof ChangedLines>;
