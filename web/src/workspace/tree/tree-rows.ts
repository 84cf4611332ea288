/** The tree as rows, from top to bottom: what of it is open, and what is marked. */
import type { FileEntry } from "../../../../src/contract/session/workspace-file.ts";
import type { ChangeMarks, FileMark } from "../since/marks.ts";
import { below, parentOf, type TreeState } from "./tree-state.ts";

export interface EntryRow {
  kind: "entry";
  path: string;
  name: string;
  /** 0 for what is in the workspace itself. */
  depth: number;
  isDirectory: boolean;
  isOpen: boolean;
  isLink: boolean;
  /** Its name begins with a dot. */
  isHidden: boolean;
  mark: FileMark | null;
  /** A directory in which something changed. */
  hasChanges: boolean;
  /** Where it stands among its siblings, from 1 on, and how many they are. */
  position: number;
  siblings: number;
}

export interface NoteRow {
  /** `more`: there are entries that were not asked for yet. */
  kind: "more" | "loading" | "refused" | "empty";
  /** Of the directory. */
  path: string;
  depth: number;
  text: string;
}

export type TreeRow = EntryRow | NoteRow;

export const treeRows = (state: TreeState, marks: ChangeMarks): TreeRow[] => {
  const gone = goneByDirectory(marks);
  return rowsIn("", 0, state, marks, gone);
};

const rowsIn = (
  path: string,
  depth: number,
  state: TreeState,
  marks: ChangeMarks,
  gone: ReadonlyMap<string, readonly string[]>,
): TreeRow[] => {
  const directory = state.directories.get(path);
  const note = (kind: NoteRow["kind"], text: string): NoteRow => ({
    kind,
    path,
    depth,
    text,
  });
  if (directory === undefined) return [note("loading", "Loading")];
  const listed = directory.entries;
  const names =
    directory.next === null && directory.refusal === null
      ? withGone(listed, gone.get(path) ?? [])
      : listed;
  const rows: TreeRow[] = names.flatMap((entry, at) => {
    const row = entryRow(entry, below(path, entry.name), depth, state, marks);
    const placed = { ...row, position: at + 1, siblings: names.length };
    return row.isOpen
      ? [placed, ...rowsIn(row.path, depth + 1, state, marks, gone)]
      : [placed];
  });
  if (directory.refusal !== null) rows.push(note("refused", directory.refusal));
  else if (directory.isLoading && listed.length === 0)
    rows.push(note("loading", "Loading"));
  else if (directory.next !== null)
    rows.push(note("more", directory.isLoading ? "Loading" : "Show more"));
  else if (rows.length === 0) rows.push(note("empty", "Empty"));
  return rows;
};

type Listed = Pick<FileEntry, "name" | "kind">;

const entryRow = (
  { name, kind }: Listed,
  path: string,
  depth: number,
  state: TreeState,
  marks: ChangeMarks,
): EntryRow => {
  const isDirectory = kind === "directory" || state.links.has(path);
  return {
    kind: "entry",
    path,
    name,
    depth,
    isDirectory,
    isOpen: isDirectory && state.open.has(path),
    isLink: kind === "link",
    isHidden: name.startsWith("."),
    mark: marks.files.get(path) ?? null,
    hasChanges: isDirectory && marks.directories.has(path),
    position: 1,
    siblings: 1,
  };
};

/** Files that are not there any more stand where they stood. */
const withGone = (
  entries: readonly Listed[],
  names: readonly string[],
): readonly Listed[] => {
  const there = new Set(entries.map(({ name }) => name));
  const missing = names.filter((name) => !there.has(name));
  if (missing.length === 0) return entries;
  const directories = entries.filter(({ kind }) => kind === "directory");
  const others = [
    ...entries.filter(({ kind }) => kind !== "directory"),
    ...missing.map((name) => ({ name, kind: "file" as const })),
  ];
  return [
    ...directories,
    ...others.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  ];
};

const goneByDirectory = ({ files }: ChangeMarks): Map<string, string[]> => {
  const gone = new Map<string, string[]>();
  for (const [path, mark] of files) {
    if (mark !== "removed") continue;
    const directory = parentOf(path);
    const names = gone.get(directory) ?? [];
    names.push(path.slice(path.lastIndexOf("/") + 1));
    gone.set(directory, names);
  }
  return gone;
};
