/** Which words of a changed line changed: for lines that were replaced one by one. */
import { diffWordsWithSpace } from "diff";
import type { DiffFile, DiffRow, Piece } from "./parse.ts";

/** Longer lines are shown as changed in whole: comparing words takes quadratic time. */
const MAX_LINE = 500;
/** Files with more rows are shown without marks of words. */
const MAX_ROWS = 5_000;

export const withWords = (file: DiffFile): DiffFile =>
  file.rows.length > MAX_ROWS ? file : { ...file, rows: marked(file.rows) };

const marked = (rows: readonly DiffRow[]): DiffRow[] => {
  const done = [...rows];
  for (let at = 0; at < rows.length; at += 1) {
    const removed = runOf(rows, at, "removed");
    const added = runOf(rows, at + removed, "added");
    if (removed > 0 && removed === added)
      for (let line = 0; line < removed; line += 1) {
        const [old, now] = [at + line, at + removed + line];
        const [before, after] = [rows[old], rows[now]];
        if (before === undefined || after === undefined) continue;
        const pieces = piecesOf(before.text, after.text);
        if (pieces === null) continue;
        done[old] = { ...before, pieces: pieces.old };
        done[now] = { ...after, pieces: pieces.now };
      }
    at += Math.max(0, removed + added - 1);
  }
  return done;
};

const runOf = (
  rows: readonly DiffRow[],
  from: number,
  kind: DiffRow["kind"],
): number => {
  let count = 0;
  while (rows[from + count]?.kind === kind) count += 1;
  return count;
};

/** Null where hardly anything is the same: then the whole line is another one. */
const piecesOf = (
  old: string,
  now: string,
): { old: Piece[]; now: Piece[] } | null => {
  if (old.length > MAX_LINE || now.length > MAX_LINE) return null;
  const changes = diffWordsWithSpace(old, now);
  const same = changes
    .filter(({ added, removed }) => !added && !removed)
    .reduce((sum, { value }) => sum + value.trim().length, 0);
  if (same * 3 < Math.max(old.trim().length, now.trim().length)) return null;
  return {
    old: changes
      .filter(({ added }) => !added)
      .map(({ value, removed }) => ({ text: value, changed: removed })),
    now: changes
      .filter(({ removed }) => !removed)
      .map(({ value, added }) => ({ text: value, changed: added })),
  };
};
