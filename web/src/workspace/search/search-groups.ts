/** What a search found, by file, and the request it is asked with. */
import type { SearchOptions } from "../../../../src/client/workspace-methods.ts";
import type { SearchMatch } from "../../../../src/contract/session/search.ts";

export interface SearchForm {
  text: string;
  isRegex: boolean;
  isCaseSensitive: boolean;
  glob: string;
  /** Also hidden files and what `.gitignore` leaves out. */
  all: boolean;
}

export const EMPTY_FORM: SearchForm = {
  text: "",
  isRegex: false,
  isCaseSensitive: false,
  glob: "",
  all: false,
};

/** Null where nothing is searched for. */
export const searchOptions = ({
  text,
  isRegex,
  isCaseSensitive,
  glob,
  all,
}: SearchForm): (Omit<SearchOptions, "q"> & { q: string }) | null =>
  text === ""
    ? null
    : {
        q: text,
        regex: isRegex,
        case: isCaseSensitive ? "sensitive" : "smart",
        hidden: all,
        ignored: all,
        glob: glob.trim(),
      };

export interface FoundFile {
  path: string;
  matches: readonly SearchMatch[];
}

export const byFile = (matches: readonly SearchMatch[]): FoundFile[] =>
  [...Map.groupBy(matches, ({ path }) => path)].map(([path, matches]) => ({
    path,
    matches,
  }));

export interface FoundPiece {
  text: string;
  isMatch: boolean;
}

/** A line in pieces, without what it is indented by; a long beginning is cut so that the match is in sight. */
export const foundPieces = ({ text, ranges }: SearchMatch): FoundPiece[] => {
  const first = ranges[0]?.start ?? 0;
  const indent = text.length - text.trimStart().length;
  const from = Math.min(first, Math.max(indent, first - MAX_BEFORE));
  const pieces: FoundPiece[] = [];
  if (from > indent) pieces.push({ text: "…", isMatch: false });
  let at = from;
  for (const { start, end } of ranges) {
    if (start > at)
      pieces.push({ text: text.slice(at, start), isMatch: false });
    if (end > at)
      pieces.push({
        text: text.slice(Math.max(at, start), end),
        isMatch: true,
      });
    at = Math.max(at, end);
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isMatch: false });
  return pieces;
};

const MAX_BEFORE = 24;
