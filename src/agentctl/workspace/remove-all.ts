import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { remove } from "../../kit/durable-file.ts";
import { hasErrno } from "../../kit/errno.ts";

const run = promisify(execFile);

/** Removes a directory, also when there are some in it that may not be written: agents make such, for caches, say. */
export const removeAll = async (path: string): Promise<void> => {
  try {
    await remove(path);
  } catch (error) {
    if (!hasErrno(error, "EACCES", "EPERM", "ENOTEMPTY")) throw error;
    // Directories alone: a file in them may have a name elsewhere too, and would change there.
    const open = ["-exec", "chmod", "u+rwx", "{}", ";"];
    await run("find", [path, "-type", "d", ...open]);
    await remove(path);
  }
};
