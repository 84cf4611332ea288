/** A diff read backwards: what would lead from its end to its beginning. */
import type { DiffFile, DiffRow } from "./parse.ts";

export const reversed = (file: DiffFile): DiffFile => ({
  path: file.from ?? file.path,
  from: file.from === null ? null : file.path,
  kind: otherKind[file.kind],
  added: file.removed,
  removed: file.added,
  rows: removedFirst(file.rows.map(turned)),
});

const otherKind = {
  added: "removed",
  removed: "added",
  modified: "modified",
} as const;

const turned = (row: DiffRow): DiffRow => ({
  ...row,
  kind:
    row.kind === "added" || row.kind === "removed"
      ? otherKind[row.kind]
      : row.kind,
  old: row.now,
  now: row.old,
});

/** Of lines that were replaced, the old ones stand before the new ones. A note belongs to the line before it. */
const removedFirst = (rows: readonly DiffRow[]): DiffRow[] => {
  const done: DiffRow[] = [];
  let removed: DiffRow[] = [];
  let added: DiffRow[] = [];
  let newest = done;
  const close = (): void => {
    done.push(...removed, ...added);
    [removed, added, newest] = [[], [], done];
  };
  for (const row of rows) {
    if (row.kind === "removed") newest = removed;
    else if (row.kind === "added") newest = added;
    else if (row.kind !== "note") close();
    newest.push(row);
  }
  close();
  return done;
};
