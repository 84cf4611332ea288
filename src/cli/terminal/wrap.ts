/** Text that is broken into lines at spaces, so that a narrow terminal does not break words. */
import { width } from "./width.ts";

const GAP = "  ";
/** The left column of definitions is no wider than this; a longer term gets a line of its own. */
const MAX_TERM = 26;

/** Joins the words into lines of at most `columns`; lines after the first are indented. A word that is longer than a line stays whole. */
export const wrap = (
  words: readonly string[],
  columns: number,
  indent = "",
): string => {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line.trim() !== "" && width(longer) > columns) {
      lines.push(line);
      line = `${indent}${word}`;
    } else line = longer;
  }
  return [...lines, line].map((each) => `${each}\n`).join("");
};

/** Terms on the left, what they mean on the right, wrapped beside or below the term. */
export const definitions = (
  rows: readonly (readonly [term: string, meaning: string])[],
  columns: number,
): string => {
  const terms = rows.map(([term]) => width(term));
  const left = Math.max(0, ...terms.filter((each) => each <= MAX_TERM));
  const indent = `${GAP}${" ".repeat(left)}${GAP}`;
  return rows
    .map(([term, meaning]) => {
      const beside = `${GAP}${term}${" ".repeat(Math.max(0, left - width(term)))}${GAP}`;
      const text = wrap(meaning.split(" "), columns - indent.length)
        .trimEnd()
        .replaceAll("\n", `\n${indent}`);
      return width(term) > left
        ? `${GAP}${term}\n${indent}${text}\n`
        : `${beside}${text}`.trimEnd() + "\n";
    })
    .join("");
};
