import { createHash } from "node:crypto";
import { lstat, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AGENTCTL_FILE, AgentctlFile } from "../../contract/link/link.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { hasErrno } from "../../kit/errno.ts";
import { ownJsonOrNull } from "../../kit/files/own-json.ts";

/**
 * Where the daemon of a home listens. A socket's path must fit into the kernel's `sun_path`; for a home too deep for
 * that it goes to a directory of ours among the runtime directories, under a name made from the home.
 */
export const socketPath = async (
  home: string,
  env: NodeJS.ProcessEnv,
): Promise<string> => {
  const inHome = join(home, "agentctl", "agentctl.sock");
  if (fits(inHome)) return inHome;
  // The daemon may have been started with other variables than ours: where it said it listens comes first.
  const recorded = await recordedSocket(home);
  if (recorded !== null && (await isOurs(dirname(recorded)))) return recorded;
  const name = `${createHash("sha256").update(home).digest("hex").slice(0, 16)}.sock`;
  for (const base of [env["XDG_RUNTIME_DIR"], env["TMPDIR"] ?? tmpdir()]) {
    if (!base) continue;
    const directory = join(base, `reprise-${uid()}`);
    if (!fits(join(directory, name))) continue;
    await makeOurs(directory);
    return join(directory, name);
  }
  throw new RepriseError(
    "agentctl_unavailable",
    `The path of the home is too long for a socket (${home}), and so is the temporary directory: set REPRISE_HOME or TMPDIR to a shorter one`,
  );
};

const fits = (path: string): boolean =>
  Buffer.byteLength(path) <= (process.platform === "darwin" ? 103 : 107);

const uid = (): number => process.getuid?.() ?? 0;

const recordedSocket = async (home: string): Promise<string | null> => {
  const path = join(home, "agentctl", AGENTCTL_FILE);
  const known = await ownJsonOrNull(path, (document) =>
    Recorded.parse(document),
  );
  return known?.socket ?? null;
};

const Recorded = AgentctlFile.pick({ socket: true });

/** Others may write to the directory above: whoever made it first must have been us, and nobody else may enter. */
const makeOurs = async (directory: string): Promise<void> => {
  await mkdir(directory, { mode: 0o700 }).catch((error: unknown) => {
    if (!hasErrno(error, "EEXIST")) throw error;
  });
  if (await isOurs(directory)) return;
  throw new RepriseError(
    "agentctl_unavailable",
    `${directory} must be a directory that only you can enter (mode 0700): remove it, or set REPRISE_HOME to a shorter path`,
  );
};

const isOurs = async (directory: string): Promise<boolean> => {
  const found = await lstat(directory).catch(() => null);
  return (
    found !== null &&
    found.isDirectory() &&
    found.uid === uid() &&
    (found.mode & 0o077) === 0
  );
};
