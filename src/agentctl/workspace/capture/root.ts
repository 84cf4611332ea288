import { realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Workspace } from "../../../checkpoint/vault.ts";
import { VaultFailure } from "../../../checkpoint/format/failure.ts";
import { hasErrno } from "../../../kit/errno.ts";
import { isInside } from "../../../kit/files/is-inside.ts";
import { type Env, notCaptured, whyNotCaptured } from "./not-captured.ts";
import { findMounts, pseudoKindAt, pseudoMounts } from "./pseudo-mounts.ts";

/** With the reason for each path in it that is not captured. */
export interface CaptureRoot extends Workspace {
  why: ReadonlyMap<string, string>;
}

/**
 * A session's directory as the vault takes it: by its real path, so that one directory has one name, and without what
 * is in it and none of its files. Where the agents' homes are is said by the environment that the session's own gets.
 */
export const workspaceAt = async (
  home: string,
  cwd: string,
  env: Env,
): Promise<CaptureRoot> => {
  const root = await realPath(cwd);
  const ours = await realpath(home);
  if (isInside(root, ours) && !isForSessions(root, ours))
    throw new VaultFailure(
      "not_permitted",
      `${cwd} belongs to Reprise itself, which is never captured`,
    );
  const all = await findMounts();
  const kind = pseudoKindAt(all, root);
  if (kind !== null)
    throw new VaultFailure(
      "not_permitted",
      `${cwd} lies in a ${kind} file system, which is never captured`,
    );
  const mounts = pseudoMounts(all);
  const without = await notCaptured(root, { ours, mounts, env });
  return {
    root,
    leaveOut: [...without.keys()].sort(),
    cacheKey: root,
    why: whyNotCaptured(root, without),
  };
};

/** Each session has its own; the directory that holds them all belongs to none. */
const isForSessions = (root: string, home: string): boolean => {
  const all = join(home, "workspaces");
  return root !== all && isInside(root, all);
};

const realPath = async (cwd: string): Promise<string> => {
  try {
    return await realpath(cwd);
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR"))
      throw new VaultFailure("not_found", `${cwd} is not there`);
    if (hasErrno(error, "EACCES", "EPERM"))
      throw new VaultFailure("not_permitted", `${cwd} may not be read`);
    throw error;
  }
};
