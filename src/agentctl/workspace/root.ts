import { realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Workspace } from "../../checkpoint/vault.ts";
import { VaultFailure } from "../../checkpoint/failure.ts";
import { hasErrno } from "../../kit/errno.ts";
import { isInside } from "../../kit/is-inside.ts";

/**
 * A session's directory as the vault takes it: by its real path, so that one directory has one name, and without our
 * own home, which is never captured.
 */
export const workspaceAt = async (
  home: string,
  cwd: string,
): Promise<Workspace> => {
  const root = await realPath(cwd);
  const ours = await realpath(home);
  if (isInside(root, ours) && !isForSessions(root, ours))
    throw new VaultFailure(
      "not_permitted",
      `${cwd} belongs to Reprise itself, which is never captured`,
    );
  return {
    root,
    leaveOut: isInside(ours, root) ? [ours] : [],
    cacheKey: root,
  };
};

/** Each its own: the directory that holds them all is nobody's. */
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
