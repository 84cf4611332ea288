import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { RepriseError } from "../contract/problem/problem.ts";
import { hasErrno } from "../kit/errno.ts";
import { makeDirectory } from "../kit/files/make-directory.ts";
import type { OwnDirectories } from "../runtime/ports/home.ts";

/** Directories of sessions, named after them, in one directory of the home. */
export const ownDirectoriesIn = (root: string): OwnDirectories => ({
  make: async (session) => {
    const path = join(root, session);
    try {
      await makeDirectory(root);
      await makeDirectory(path);
    } catch (error) {
      throw new RepriseError(
        hasErrno(error, "ENOSPC", "EDQUOT")
          ? "storage_full"
          : "storage_unavailable",
        `The workspace ${path} cannot be written: ${String(error)}. Check the disk, or choose a directory with cwd.`,
        { cause: error },
      );
    }
  },
  list: () => readdir(root).catch(() => []),
});
