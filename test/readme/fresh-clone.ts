import { execFile } from "node:child_process";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A clone of the repository as it lies here, with what is not committed yet: what a reader would get. */
export const freshClone = async (root: string, into: string): Promise<void> => {
  await run("git", ["clone", "--quiet", "--no-hardlinks", root, into]);
  const list = async (...flags: string[]): Promise<string[]> => {
    const { stdout } = await run("git", ["ls-files", "-z", ...flags], {
      cwd: root,
      maxBuffer: 16 * 1024 * 1024,
    });
    return stdout.split("\0").filter((path) => path !== "");
  };
  const deleted = await list("--deleted");
  for (const path of deleted) await rm(join(into, path), { force: true });
  for (const path of await list("--modified", "--others", "--exclude-standard"))
    if (!deleted.includes(path))
      await cp(join(root, path), join(into, path), { force: true });
};
