/** What a search of a workspace finds. */
import * as z from "zod";

/** Lines that one search tells, at most. */
export const MAX_MATCHES = 1000;
/** Characters of a line that are told. */
export const MAX_LINE = 500;
export const SEARCH_DEADLINE_MS = 10_000;

export const SearchMatch = z.object({
  path: z.string(),
  /** In Base64, where the bytes of the path are not UTF-8. */
  path_bytes: z.base64().exactOptional(),
  /** From 1 on; null of a line that is too long for its number to be told, and where names were searched. */
  line: z.number().int().nullable(),
  /** Without its end of line; the path, where names were searched. */
  text: z.string(),
  /** `text` is a part of a longer line. */
  cut: z.boolean(),
  /** What matched, by the characters (UTF-16) of `text`. */
  ranges: z.array(z.object({ start: z.number(), end: z.number() })),
});
export type SearchMatch = z.infer<typeof SearchMatch>;

export const SearchResult = z.object({
  /** By path, then by line; names: what fits best first. */
  matches: z.array(SearchMatch),
  /** Why there may be more: as many as were wanted are told, or the time was over. */
  stopped: z.enum(["limit", "deadline"]).nullable(),
});
export type SearchResult = z.infer<typeof SearchResult>;

/** How a search is done. */
export const searchFields = {
  pattern: z.string().min(1).max(10_000),
  /** Files are searched by their paths, not by what is in them, as somebody types to find one. */
  names: z.boolean(),
  /** The pattern is a regular expression, not the text itself. */
  regex: z.boolean(),
  /** `smart`: capital letters count where the pattern has one. */
  case: z.enum(["sensitive", "insensitive", "smart"]),
  /** Only files that fit one of these, and none that fits one with a `!` before it. */
  globs: z.array(z.string().min(1).max(1000)).max(20),
  /** Also names that begin with a dot. */
  hidden: z.boolean(),
  /** Also what `.gitignore` and its like leave out. */
  ignored: z.boolean(),
  limit: z.number().int().min(1).max(MAX_MATCHES),
};
