/** The directories that were looked into, and which of them are open. */
import type { FileEntry } from "../../../../src/contract/session/workspace-file.ts";

export interface ListedDirectory {
  entries: readonly FileEntry[];
  /** Asks for the next page; null where all of it is there. */
  next: string | null;
  isLoading: boolean;
  /** Why it could not be listed. */
  refusal: string | null;
}

export interface TreeState {
  /** By path; the workspace itself has an empty one. */
  directories: ReadonlyMap<string, ListedDirectory>;
  open: ReadonlySet<string>;
  /** Links that lead to directories of the workspace, as far as somebody has followed them. */
  links: ReadonlySet<string>;
}

export const EMPTY_TREE: TreeState = {
  directories: new Map(),
  open: new Set([""]),
  links: new Set(),
};

export const below = (directory: string, name: string): string =>
  directory === "" ? name : `${directory}/${name}`;

export const parentOf = (path: string): string =>
  path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** `undefined`: the directory was not looked into far enough to know. */
export const entryAt = (
  { directories }: TreeState,
  path: string,
): FileEntry | null | undefined => {
  const directory = directories.get(parentOf(path));
  const name = path.slice(path.lastIndexOf("/") + 1);
  const entry = directory?.entries.find((each) => each.name === name);
  if (entry !== undefined) return entry;
  return directory === undefined ||
    directory.isLoading ||
    directory.next !== null
    ? undefined
    : null;
};

export const isDirectory = (state: TreeState, path: string): boolean =>
  path === "" ||
  state.links.has(path) ||
  entryAt(state, path)?.kind === "directory";
