/** What git says of a git directory, wherever that lies. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { git } from "./git.ts";
import type { Checkout } from "./git-state.ts";
import { COMMON_DIRECTORY } from "./repositories.ts";

export interface GitDirectory {
  gitDirectory: string;
}

/**
 * Otherwise its refs are those of another directory, and none of them is ours to move. No program can be told of a directory
 * whose name is not text.
 */
export const isOwnStore = ({ gitDirectory }: GitDirectory): boolean =>
  gitDirectory.isWellFormed() &&
  !existsSync(join(gitDirectory, COMMON_DIRECTORY));

export const isSame = (one: Checkout, other: Checkout): boolean =>
  one.head === other.head && one.branch === other.branch;

/** As it is written: the commit itself may be missing. */
export const headIn = async (where: GitDirectory): Promise<Checkout> => {
  const branch = await ask(where, "symbolic-ref", "--quiet", "HEAD");
  const head =
    branch === null
      ? await ask(where, "rev-parse", "--quiet", "--verify", "HEAD")
      : await writtenAt(where, branch);
  return { head, branch };
};

/** Of this ref alone: `rev-parse` would take another whose name ends alike. */
export const writtenAt = async (
  where: GitDirectory,
  ref: string,
): Promise<string | null> => {
  const format = "--format=%(objectname) %(refname)";
  const listed = (await ask(where, "for-each-ref", format, ref)) ?? "";
  const line = listed.split("\n").find((each) => each.endsWith(` ${ref}`));
  return line?.split(" ")[0] ?? null;
};

const ask = (
  where: GitDirectory,
  ...args: readonly string[]
): Promise<string | null> =>
  git(where, ...args).then(
    (text) => text.trim(),
    () => null,
  );
