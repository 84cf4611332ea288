import { execFile } from "node:child_process";
import { access, constants, readFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { promisify } from "node:util";
import { LinkError } from "../../contract/link/link-error.ts";

const run = promisify(execFile);
const USUAL = ["/usr/bin", "/bin", "/usr/local/bin"];

/** `script` of util-linux makes terminals: those of macOS and busybox have other options. */
export const findScript = async (
  path = process.env["PATH"] ?? "",
): Promise<string> => {
  const directories = [...USUAL, ...path.split(":").filter(isAbsolute)];
  for (const directory of new Set(directories)) {
    const program = join(directory, "script");
    if (await isOfUtilLinux(program)) return program;
  }
  throw new LinkError(
    "no_terminals",
    "The program script of util-linux, which makes terminals, is not installed on this machine. Install it (package bsdutils on Debian and Ubuntu, util-linux-script on Fedora, util-linux-misc on Alpine) and open the shell again. macOS is not supported yet.",
  );
};

const isOfUtilLinux = async (program: string): Promise<boolean> => {
  try {
    await access(program, constants.X_OK);
    const { stdout } = await run(program, ["--version"], {
      timeout: 5000,
      cwd: "/",
    });
    return stdout.includes("util-linux");
  } catch {
    return false;
  }
};

/** The login shell of who runs us, where it is one that people may use; `/bin/sh` otherwise. */
export const loginShell = async (): Promise<string> => {
  const FALLBACK = "/bin/sh";
  try {
    const { shell } = userInfo();
    if (shell === null) return FALLBACK;
    const allowed = (await readFile("/etc/shells", "utf8")).split("\n");
    if (!allowed.includes(shell)) return FALLBACK;
    await access(shell, constants.X_OK);
    return shell;
  } catch {
    return FALLBACK;
  }
};
