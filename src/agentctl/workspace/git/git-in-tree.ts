/** What git had checked out, and which refs there were, read from the files of a checkpoint. */
import type { Vault } from "../../../checkpoint/vault.ts";
import type { Checkout } from "./git-state.ts";
import { fileIn, fileOrTooLarge, within } from "./tree-file.ts";

/** Null where the files do not tell: git keeps its refs in another way, say, or not all of them were captured. */
export const checkoutIn = async (
  vault: Vault,
  tree: string,
  gitDirectory: string,
): Promise<Checkout | null> => {
  const text = await textIn(vault, tree, within(gitDirectory, "HEAD"));
  if (text === null) return null;
  if (isCommit(text)) return { head: text, branch: null };
  const branch = /^ref:\s*(refs\/heads\/\S+)$/.exec(text)?.[1];
  if (branch === undefined || !isRefName(branch)) return null;
  const loose = await textIn(vault, tree, within(gitDirectory, branch));
  const packed =
    loose === null ? await packedIn(vault, tree, gitDirectory) : null;
  const head = loose ?? packed?.get(branch);
  if (head !== undefined) return isCommit(head) ? { head, branch } : null;
  // A branch that has a reflog was there, wherever its commit is written.
  const log = within(gitDirectory, `logs/${branch}`);
  const isUnborn = packed !== null && (await fileIn(vault, tree, log)) === null;
  return isUnborn ? { head: null, branch } : null;
};

/** Of these refs, given by their paths within the git directory, what they led to; and of all that were packed. */
export const refsIn = async (
  vault: Vault,
  tree: string,
  gitDirectory: string,
  loose: readonly string[],
): Promise<Map<string, string>> => {
  const refs = (await packedIn(vault, tree, gitDirectory)) ?? new Map();
  for (const name of loose) {
    const text = await textIn(vault, tree, within(gitDirectory, name));
    if (text !== null && isCommit(text)) refs.set(name, text);
  }
  return refs;
};

/** Null where there are too many. */
const packedIn = async (
  vault: Vault,
  tree: string,
  gitDirectory: string,
): Promise<Map<string, string> | null> => {
  const path = within(gitDirectory, "packed-refs");
  const content = await fileOrTooLarge(vault, tree, path);
  if (content === "too_large") return null;
  return new Map(
    (content?.toString("utf8") ?? "")
      .split("\n")
      .flatMap((line): [string, string][] => {
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

/** Git refuses other names. So it does one that says that HEAD is elsewhere, in a table. */
const isRefName = (name: string): boolean =>
  !/[\s~^:?*[\\\ufffd]|\/[./]|\.\.|@\{|\.lock(\/|$)|[./]$/.test(name);

const isCommit = (text: string): boolean =>
  /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
