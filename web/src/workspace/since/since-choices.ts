/** Since when changes are marked: turns whose files were captured, the newest first, and the beginning. */
import type { Mark } from "../../line/mark.ts";

export interface SinceChoice {
  /** Null: the beginning. */
  since: number | null;
  name: string;
}

export const sinceChoices = (line: readonly Mark[]): SinceChoice[] => [
  ...line
    .filter((mark) => mark.kind === "turn")
    .filter(
      ({ capture, behind }) =>
        !behind && capture !== null && capture !== "failed",
    )
    .toReversed()
    .map(({ turn, prompt }) => ({
      since: turn,
      name: `Turn ${turn}: ${firstWords(prompt)}`,
    })),
  { since: null, name: "The beginning" },
];

const MAX_WORDS = 40;

const firstWords = (prompt: string): string => {
  const [line = ""] = prompt.split("\n");
  return line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS)}…` : line;
};

export const sinceName = (since: number | null): string =>
  since === null || since === 0 ? "the beginning" : `turn ${since}`;
