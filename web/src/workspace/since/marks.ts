/** What changed since a turn, as the tree and the viewer mark it. */
import type { Change } from "../../../../src/contract/session/checkpoint.ts";
import type { DiffFile } from "../../diff/parse.ts";

export type FileMark = "added" | "modified" | "removed";

export interface ChangeMarks {
  files: ReadonlyMap<string, FileMark>;
  /** Directories in which something changed, at whatever depth. */
  directories: ReadonlySet<string>;
}

export const NO_MARKS: ChangeMarks = {
  files: new Map(),
  directories: new Set(),
};

export const marksOf = (changes: readonly Change[]): ChangeMarks => {
  const files = new Map<string, FileMark>();
  const directories = new Set<string>();
  for (const { path, kind } of changes) {
    files.set(path, kind === "added" || kind === "removed" ? kind : "modified");
    for (const above of directoriesAbove(path)) directories.add(above);
  }
  return { files, directories };
};

/** `a/b/c` → `a`, `a/b` */
export const directoriesAbove = (path: string): string[] => {
  const names = path.split("/").slice(0, -1);
  return names.map((_, at) => names.slice(0, at + 1).join("/"));
};

/** The sign says it without a colour, the word to who hears it. */
export const signs: Readonly<Record<FileMark, { sign: string; word: string }>> =
  {
    added: { sign: "+", word: "added" },
    modified: { sign: "~", word: "changed" },
    removed: { sign: "−", word: "deleted" },
  };

/** Lines of the file as it is now that came or were changed. */
export const changedLines = (
  file: Pick<DiffFile, "rows"> | null,
): ReadonlySet<number> =>
  new Set(
    file?.rows.flatMap(({ kind, now }) =>
      kind === "added" && now !== null ? [now] : [],
    ),
  );
