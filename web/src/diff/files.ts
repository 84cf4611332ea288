/** The files of a diff: those with text, and those of which only the name is told. */
import type { Diff } from "../../../src/contract/session/checkpoint.ts";
import { isGits } from "../../../src/contract/session/is-gits.ts";
import type { DiffFile } from "./parse.ts";

export const allFiles = (
  { changes }: Pick<Diff, "changes">,
  parsed: readonly DiffFile[],
): DiffFile[] => {
  const texts = new Map(parsed.map((file) => [file.path, file]));
  const named = changes.map(
    ({ path, kind }): DiffFile =>
      texts.get(path) ?? {
        path,
        from: null,
        kind: kind === "added" || kind === "removed" ? kind : "modified",
        added: 0,
        removed: 0,
        rows: [],
      },
  );
  const known = new Set(named.map(({ path }) => path));
  return [...named, ...parsed.filter(({ path }) => !known.has(path))];
};

/** Those that somebody reads: git's own are left out, and count as none. */
export const readFiles = (
  diff: Pick<Diff, "changes">,
  parsed: readonly DiffFile[],
): DiffFile[] => allFiles(diff, parsed).filter(({ path }) => !isGits(path));

/** Files by their directories, in the order of paths. */
export const byDirectory = (
  files: readonly DiffFile[],
): { directory: string; files: DiffFile[] }[] => {
  const directories = new Map<string, DiffFile[]>();
  for (const file of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const directory = file.path.slice(
      0,
      Math.max(0, file.path.lastIndexOf("/")),
    );
    directories.set(directory, [...(directories.get(directory) ?? []), file]);
  }
  return [...directories].map(([directory, files]) => ({ directory, files }));
};
