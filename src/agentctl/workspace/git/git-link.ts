/**
 * A worktree of git has a file `.git` that leads to its repository. In a copy of the directory it would lead there as
 * well: a commit in the copy would move the branch of the original.
 */
import { join } from "node:path";
import type { Vault } from "../../../checkpoint/vault.ts";
import { remove } from "../../../kit/files/durable-file.ts";
import { hasErrno } from "../../../kit/errno.ts";
import { plainBytes } from "../../../kit/files/read-plain.ts";
import { fileIn } from "./tree-file.ts";
import { isUnusable } from "../../../kit/files/unusable-file.ts";

export const GIT_LINK = ".git";

/** A path, and a few words. */
export const MAX_BYTES = 8192;

/** What a tree has there, if it is a link. */
export const gitLinkIn = async (
  vault: Vault,
  tree: string,
): Promise<Buffer | null> => {
  const content = await fileIn(vault, tree, GIT_LINK, MAX_BYTES);
  const isLink = content?.toString("latin1").startsWith("gitdir:") === true;
  return isLink ? content : null;
};

/** Removes the link that came out of a tree; one that leads elsewhere is somebody's. */
export const removeGitLink = async (
  directory: string,
  link: Buffer,
): Promise<void> => {
  const path = join(directory, GIT_LINK);
  const found = await plainBytes(path, MAX_BYTES).catch((error: unknown) => {
    if (isUnusable(error, "not_plain") || hasErrno(error, "ELOOP")) return null;
    throw error;
  });
  if (found?.equals(link) === true) await remove(path);
};
