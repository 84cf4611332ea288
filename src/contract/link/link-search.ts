import * as z from "zod";
import { searchFields } from "../session/search.ts";

/**
 * A search on a stream: agentctl's half is its answer. The server's half stays open while the answer is wanted, and an abort
 * ends the search.
 */
export const SearchOrder = z.object({
  cwd: z.string(),
  /** The directory to search, as `path-text.ts` has it; empty for the whole workspace. */
  path: z.string(),
  ...searchFields,
});
export type SearchOrder = z.infer<typeof SearchOrder>;
