import { cut, cutStart, width } from "./width.ts";

/** A cell is clean text; its colour is put on after measuring. */
export interface Cell {
  text: string;
  paint?: (text: string) => string;
  /** Where it must be cut, its end is what counts. */
  keepEnd?: boolean;
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
              ? cutCell(cell, columns - before(widths, i))
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

export const cutCell = ({ text, keepEnd }: Cell, columns: number): string =>
  keepEnd === true ? cutStart(text, columns) : cut(text, columns);

/** How much room a table leaves for its last column. */
export const roomLeft = (
  rows: readonly (readonly Cell[])[],
  columns: number,
): number => columns - before(widthsOf(rows), (rows[0]?.length ?? 1) - 1);

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
