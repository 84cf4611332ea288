import { cut, width } from "./width.ts";

/** A cell is clean text; its colour is put on after measuring. */
export interface Cell {
  text: string;
  paint?: (text: string) => string;
}

const GAP = "  ";

/** Aligned columns. The last one takes what is left of the terminal's width and is cut to it. */
export const table = (
  rows: readonly (readonly Cell[])[],
  columns: number | null,
): string => {
  const widths = widthsOf(rows);
  return rows
    .map((row) =>
      row
        .map((cell, i) => {
          const isLast = i === row.length - 1;
          const text =
            isLast && columns !== null
              ? cut(cell.text, columns - before(widths, i))
              : cell.text;
          const painted = cell.paint?.(text) ?? text;
          return isLast
            ? painted
            : painted + " ".repeat((widths[i] ?? 0) - width(text));
        })
        .join(GAP)
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
};

/** Names on the left, what they are on the right; further lines of a value stand under its first. */
export const fields = (
  pairs: readonly (readonly [name: string, value: string])[],
  dim: (text: string) => string,
): string => {
  const name = Math.max(0, ...pairs.map(([each]) => width(each)));
  const under = `\n  ${" ".repeat(name)}${GAP}`;
  return pairs
    .map(
      ([each, value]) =>
        `  ${dim(each)}${" ".repeat(name - width(each))}${GAP}${value.replaceAll("\n", under)}\n`,
    )
    .join("");
};

const widthsOf = (rows: readonly (readonly Cell[])[]): number[] => {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, width(cell.text));
    });
  return widths;
};

const before = (widths: readonly number[], column: number): number =>
  widths.slice(0, column).reduce((sum, each) => sum + each + GAP.length, 0);
