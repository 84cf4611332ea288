import type { Spent } from "../../../../src/contract/base/budget.ts";
import { duration } from "../../words/age.ts";
import { counted, rounded } from "../../words/counts.ts";

/** `2 turns · 4 min · 12k tokens · cost 0.31`; what no agent has told is left out. */
export const spentWords = ({ turns, minutes, tokens, cost }: Spent): string =>
  [
    counted(turns, "turn"),
    `${duration(minutes * 60_000)} of work`,
    ...(tokens === null ? [] : [`${rounded(tokens)} tokens`]),
    ...(cost === null ? [] : [`cost ${Math.round(cost * 100) / 100}`]),
  ].join(" · ");
