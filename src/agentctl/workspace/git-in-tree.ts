/** What git had checked out, and which refs there were, read from the files of a checkpoint. */
import type { Vault } from "../../checkpoint/vault.ts";
import type { Checkout } from "./git-state.ts";
import { fileIn, within } from "./tree-file.ts";

/** Null where the files do not tell, because git keeps its refs in another way. */
export const checkoutIn = async (
  vault: Vault,
  tree: string,
  gitDirectory: string,
): Promise<Checkout | null> => {
  const told = await textIn(vault, tree, within(gitDirectory, "HEAD"));
  if (told === null) return null;
  if (isCommit(told)) return { head: told, branch: null };
  const branch = /^ref:\s*(refs\/heads\/\S+)$/.exec(told)?.[1];
  // So git says that HEAD is elsewhere, in a table.
  if (branch === undefined || branch.endsWith("/.invalid")) return null;
  const loose = await textIn(vault, tree, within(gitDirectory, branch));
  const packed =
    loose ?? (await packedIn(vault, tree, gitDirectory)).get(branch);
  if (packed === undefined) return { head: null, branch };
  return isCommit(packed) ? { head: packed, branch } : null;
};

/** Of these refs, given by their paths within the git directory, what they led to; and of all that were packed. */
export const refsIn = async (
  vault: Vault,
  tree: string,
  gitDirectory: string,
  loose: readonly string[],
): Promise<Map<string, string>> => {
  const refs = await packedIn(vault, tree, gitDirectory);
  for (const name of loose) {
    const told = await textIn(vault, tree, within(gitDirectory, name));
    if (told !== null && isCommit(told)) refs.set(name, told);
  }
  return refs;
};

const packedIn = async (
  vault: Vault,
  tree: string,
  gitDirectory: string,
): Promise<Map<string, string>> => {
  const told = await textIn(vault, tree, within(gitDirectory, "packed-refs"));
  return new Map(
    (told ?? "").split("\n").flatMap((line): [string, string][] => {
      const [commit = "", name = ""] = line.split(" ");
      return isCommit(commit) && name.startsWith("refs/")
        ? [[name, commit]]
        : [];
    }),
  );
};

const textIn = async (
  vault: Vault,
  tree: string,
  path: string,
): Promise<string | null> => {
  const content = await fileIn(vault, tree, path);
  return content === null ? null : content.toString("utf8").trim();
};

const isCommit = (text: string): boolean =>
  /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
