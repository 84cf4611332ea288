/** Files by their names, from what `rg --files --null` prints. */
import {
  type ByteString,
  join,
} from "../../../checkpoint/format/byte-string.ts";
import type { SearchOrder } from "../../../contract/link/link-search.ts";
import type { SearchMatch } from "../../../contract/session/search.ts";
import { type Fit, fuzzyPathFit } from "../../../kit/data/fuzzy.ts";
import { named } from "../files/named.ts";

/** What becomes of ripgrep's output. */
export interface Found {
  take(chunk: Buffer): "more" | "enough";
  result(): { matches: SearchMatch[]; isFull: boolean };
}

/** The paths that fit best. All are looked at, and only so many are held as are told. */
export const namesFound = (
  { pattern, limit }: Pick<SearchOrder, "pattern" | "limit">,
  above: ByteString,
): Found => {
  let best: Candidate[] = [];
  let rest = "";
  let isFull = false;
  const keepBest = (): void => {
    best.sort(byFit);
    isFull ||= best.length > limit;
    best = best.slice(0, limit);
  };
  return {
    take: (chunk) => {
      const paths = (rest + chunk.toString("latin1")).split("\0");
      rest = paths.pop() ?? "";
      for (const each of paths) {
        const path = named("path", join(above, each.replace(/^\.\//, "")));
        const fit = fuzzyPathFit(pattern, path.path);
        if (fit !== null) best.push({ path, fit });
      }
      if (best.length > 2 * limit) keepBest();
      return "more";
    },
    result: () => {
      keepBest();
      return { matches: best.map(matchOf), isFull };
    },
  };
};

interface Candidate {
  path: Pick<SearchMatch, "path" | "path_bytes">;
  fit: Fit;
}

/** ripgrep lists files in no order: among equals the shorter path comes first. */
const byFit = (a: Candidate, b: Candidate): number =>
  b.fit.score - a.fit.score ||
  a.path.path.length - b.path.path.length ||
  (a.path.path < b.path.path ? -1 : 1);

const matchOf = ({ path, fit }: Candidate): SearchMatch => ({
  ...path,
  line: null,
  text: path.path,
  cut: false,
  ranges: [...fit.ranges],
});
