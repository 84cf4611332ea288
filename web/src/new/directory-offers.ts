/** Directories that are offered while a path is typed: where sessions worked, and what the server's machine has. */
import type { Directories } from "../../../src/contract/session/directories.ts";

export interface DirectoryOffer {
  /** What stands in the field once it is taken. */
  path: string;
  /** Sessions worked there. */
  isRecent: boolean;
}

const MAX_RECENT = 8;

/** The recent ones that fit come first. What is taken of the others ends with `/`: typing goes on behind it. */
export const directoryOffers = (
  typed: string,
  recent: readonly string[],
  found: Pick<Directories, "names"> | null,
): DirectoryOffer[] => {
  const text = typed.trim();
  const fitting = recent
    .filter((path) => path !== text && fits(path, text))
    .slice(0, MAX_RECENT);
  const before = text.slice(0, text.lastIndexOf("/") + 1);
  const others = (found?.names ?? [])
    .map((name) => `${before}${name}`)
    .filter((path) => !fitting.includes(path));
  return [
    ...fitting.map((path) => ({ path, isRecent: true })),
    ...others.map((path) => ({ path: `${path}/`, isRecent: false })),
  ];
};

/** Of what was answered for an earlier path, what this one may become: the next answer may take its time. */
export const stillFitting = (
  found: Pick<Directories, "parent" | "names"> | null,
  path: string | null,
): Pick<Directories, "names"> | null => {
  if (found === null || path === null) return null;
  const cut = path.lastIndexOf("/") + 1;
  if (found.parent !== path.slice(0, cut)) return null;
  const typed = path.slice(cut).toLowerCase();
  return {
    names: found.names.filter((name) => name.toLowerCase().startsWith(typed)),
  };
};

const fits = (path: string, text: string): boolean =>
  path.toLowerCase().includes(text.toLowerCase());
