import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { isInside } from "../../kit/files/is-inside.ts";
import { entriesOf } from "./find-program.ts";
import type { Where } from "./launch.ts";

/**
 * Tells the files that a project brings: what lies in its directory, by its path or by where its links lead, and what is in
 * any `node_modules/.bin`.
 */
export const broughtByProject = async ({
  cwd,
  env,
}: Pick<Where, "cwd" | "env">): Promise<(file: string) => Promise<boolean>> => {
  const named = cwd === undefined ? [] : [cwd, await realOf(cwd)];
  const home = env["HOME"];
  // A directory that a person's home is in is no project: all that is theirs lies there.
  const roots = named
    .flatMap((directory) => [directory, repositoryOf(directory)])
    .filter((root) => !home || !isInside(home, root));
  return async (file) =>
    [file, await realOf(file)].some(
      (path) =>
        /\/node_modules\/\.bin(\/|$)/.test(path) ||
        roots.some((root) => isInside(path, root)),
    );
};

/** The entries of a PATH that are neither relative nor a project's. */
export const withoutProject = async (
  path: string,
  isBrought: (file: string) => Promise<boolean>,
): Promise<string> => {
  const entries: string[] = [];
  for (const entry of entriesOf(path))
    if (!(await isBrought(entry))) entries.push(entry);
  return entries.join(delimiter);
};

/** The root of the repository that a directory is in; the directory itself where it is in none. */
const repositoryOf = (directory: string): string => {
  for (let at = directory; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return directory;
  }
};

const realOf = (path: string): Promise<string> =>
  realpath(path).catch(() => path);
