import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { remove } from "../../../kit/files/durable-file.ts";
import { hasErrno } from "../../../kit/errno.ts";

const run = promisify(execFile);

/**
 * Removes a directory, also when there are some in it that may not be written, or whose paths are longer than the system
 * takes: agents make such, for caches, say.
 */
export const removeAll = async (path: string): Promise<void> => {
  try {
    await remove(path);
  } catch (error) {
    if (hasErrno(error, "ENAMETOOLONG")) await removeStepwise(path);
    else if (hasErrno(error, "EACCES", "EPERM", "ENOTEMPTY")) await open(path);
    else throw error;
    await remove(path);
  }
};

/** It goes down name by name, so that no path is too long for it. */
const removeStepwise = (path: string) => run("rm", ["-rf", "--", path]);

/** Directories alone: a file in them may have a name elsewhere too, and would change there. */
const open = (path: string) =>
  run("find", [path, "-type", "d", "-exec", "chmod", "u+rwx", "{}", ";"]);
