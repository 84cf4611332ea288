import { execFile } from "node:child_process";
import { access, glob, mkdir } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface Strace {
  command: string;
  env: Record<string, string>;
}

/** The machine's `strace`. Where it has none, Debian's is unpacked into `directory`, which installs nothing. */
export const findStrace = async (directory: string): Promise<Strace> => {
  for (const place of (process.env["PATH"] ?? "").split(delimiter))
    if (await isThere(join(place, "strace")))
      return { command: join(place, "strace"), env: {} };
  try {
    return await unpacked(directory);
  } catch (cause) {
    throw new Error(
      "This test reads a trace of system calls: install strace (apt-get install strace).",
      { cause },
    );
  }
};

const unpacked = async (cwd: string): Promise<Strace> => {
  await mkdir(cwd, { recursive: true });
  // A fresh machine may have no lists of packages yet; without the right to get them there may be some all the same.
  await run("apt-get", ["update"]).catch(() => null);
  await run("apt-get", ["download", "strace", "libunwind8"], { cwd });
  for await (const name of glob("*.deb", { cwd }))
    await run("dpkg-deb", ["--extract", name, "."], { cwd });
  const libraries: string[] = [];
  for await (const path of glob("usr/lib/*/libunwind*.so.*", { cwd }))
    libraries.push(join(cwd, dirname(path)));
  return {
    command: join(cwd, "usr/bin/strace"),
    env: { LD_LIBRARY_PATH: libraries[0] ?? "" },
  };
};

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
