/** Directories that are offered while a path is typed: where sessions worked, and what the server's machine has. */
import type { Directories } from "../../../src/contract/session/directories.ts";
import { wholePath } from "./form.ts";

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
  /** What the server answered last. It may have been asked before the newest keys. */
  found: Pick<Directories, "parent" | "names"> | null,
  userHome: string | null,
): DirectoryOffer[] => {
  const text = typed.trim();
  const fitting = recent
    .filter((path) => path !== text && fits(path, text))
    .slice(0, MAX_RECENT);
  const before = text.slice(0, text.lastIndexOf("/") + 1);
  const begun = text.slice(before.length).toLowerCase();
  const isOfThis =
    before !== "" && found?.parent === wholePath(before, userHome);
  const others = (isOfThis ? found.names : [])
    .filter((name) => name.toLowerCase().startsWith(begun))
    .map((name) => `${before}${name}`)
    .filter((path) => !fitting.includes(path));
  return [
    ...fitting.map((path) => ({ path, isRecent: true })),
    ...others.map((path) => ({ path: `${path}/`, isRecent: false })),
  ];
};

const fits = (path: string, text: string): boolean =>
  path.toLowerCase().includes(text.toLowerCase());
