/** What keys do in the tree: those that trees have everywhere. */
import type { EntryRow, TreeRow } from "./tree-rows.ts";
import { parentOf } from "./tree-state.ts";

export type TreeAct =
  | { kind: "focus"; row: number }
  | { kind: "open"; path: string }
  | { kind: "close"; path: string }
  /** Shows the file, or turns the directory. */
  | { kind: "choose"; row: number };

/** `at` is the row that has the focus; -1: none has. */
export const treeAct = (
  rows: readonly TreeRow[],
  at: number,
  key: string,
): TreeAct | null => {
  const row = rows[at];
  switch (key) {
    case "ArrowDown":
      return focus(rows, nextStop(rows, at, 1));
    case "ArrowUp":
      return focus(rows, nextStop(rows, at, -1));
    case "Home":
      return focus(rows, nextStop(rows, -1, 1));
    case "End":
      return focus(rows, nextStop(rows, rows.length, -1));
    case "Enter":
    case " ":
      return row === undefined ? null : { kind: "choose", row: at };
    case "ArrowRight":
      if (row?.kind !== "entry" || !row.isDirectory) return null;
      if (!row.isOpen) return { kind: "open", path: row.path };
      return focus(rows, nextStop(rows, at, 1));
    case "ArrowLeft":
      if (row === undefined) return null;
      if (row.kind === "entry" && row.isOpen)
        return { kind: "close", path: row.path };
      return focus(rows, rowOf(rows, above(row)));
    default:
      return null;
  }
};

const above = (row: TreeRow): string =>
  row.kind === "entry" ? parentOf(row.path) : row.path;

const focus = (rows: readonly TreeRow[], row: number): TreeAct | null =>
  rows[row] === undefined ? null : { kind: "focus", row };

/** Notes are passed over, except those that can be chosen. */
const nextStop = (
  rows: readonly TreeRow[],
  from: number,
  step: 1 | -1,
): number => {
  let at = from + step;
  for (let row = rows[at]; row !== undefined; row = rows[(at += step)])
    if (isStop(row)) return at;
  return -1;
};

export const isStop = (row: TreeRow): boolean =>
  row.kind === "entry" || row.kind === "more" || row.kind === "refused";

export const rowOf = (rows: readonly TreeRow[], path: string): number =>
  rows.findIndex(
    (row): row is EntryRow => row.kind === "entry" && row.path === path,
  );
