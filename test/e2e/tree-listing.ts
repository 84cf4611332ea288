/** What a directory holds, told by programs that are not ours. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Type, mode, time, size and target of everything in it but one path, and the hash of every file. */
export const listing = async (
  directory: string,
  without = "",
): Promise<string[]> => {
  const others = ["-path", `./${without}`, "-prune", "-o"];
  const { stdout: entries } = await run(
    "find",
    [".", ...others, "-printf", "%y %m %T@ %s %P -> %l\\n"],
    { cwd: directory, maxBuffer: 1e8 },
  );
  const { stdout: hashes } = await run(
    "sh",
    [
      "-c",
      'find . "$@" -type f -print0 | xargs -0 -r sha256sum',
      "sh",
      ...others,
    ],
    { cwd: directory, maxBuffer: 1e8 },
  );
  // The size of a directory is the file system's own affair.
  const plain = entries.replaceAll(/^(d \S+ \S+) \d+/gm, "$1");
  return [...plain.split("\n"), ...hashes.split("\n")].sort();
};

export const git = async (
  directory: string,
  ...args: string[]
): Promise<string> => {
  const identity = ["-c", "user.name=T", "-c", "user.email=t@example.org"];
  const { stdout, stderr } = await run("git", [...identity, ...args], {
    cwd: directory,
    env: { PATH: process.env["PATH"] ?? "", HOME: directory },
  });
  return stdout + stderr;
};
