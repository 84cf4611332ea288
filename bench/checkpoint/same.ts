/** Whether two directories are the same in every respect, judged by find and sha256sum and not by our own scan. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";

export const assertSame = (restored: string, original: string): void => {
  assert.equal(
    print(restored),
    print(original),
    `${restored} is not what ${original} is`,
  );
};

/** One line of text for a whole directory: names, kinds, modes, sizes, times, links and contents. */
const print = (root: string): string =>
  execFileSync("bash", ["-o", "pipefail", "-c", SCRIPT], {
    cwd: root,
    encoding: "utf8",
    // A shell whose input is a socket believes to be far away and reads its owner's settings.
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env["PATH"], LC_ALL: "C" },
  });

// The size of a directory is the file system's own affair.
const SCRIPT = String.raw`
{
  find . -mindepth 1 \( -type d -printf '%P %y %m %T@\0' \) -o -printf '%P %y %m %T@ %s %n %l\0' | sort -z
  find . -type f -print0 | sort -z | xargs -0 sha256sum -z
} | sha256sum`;
