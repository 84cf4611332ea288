import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/**
 * Processes that have an agent's session open and are none of ours: somebody goes on with it in a terminal. Two writers
 * would spoil it. Seen are those that hold its file, bear its id on their command line, or claim it in the agent's own
 * way. Where there is no /proc, nobody is seen.
 */
export const otherWriters = async (session: {
  /** Processes that say so themselves. */
  claimed: readonly number[];
  token: string;
  file: string | null;
}): Promise<number[]> => {
  if (process.platform !== "linux") return [];
  const claimed = new Set(session.claimed);
  return readdirSync("/proc")
    .map(Number)
    .filter(
      (pid) =>
        Number.isInteger(pid) &&
        pid !== process.pid &&
        (claimed.has(pid) ||
          isNamed(pid, session.token) ||
          isOpen(pid, session.file)) &&
        !isOurs(pid),
    );
};

const isNamed = (pid: number, token: string): boolean =>
  read(pid, "cmdline")
    .split("\0")
    .some((word) => word === token || word.endsWith(`=${token}`));

const isOpen = (pid: number, file: string | null): boolean => {
  if (file === null) return false;
  const directory = `/proc/${pid}/fd`;
  try {
    return readdirSync(directory).some(
      (fd) => linkOf(`${directory}/${fd}`) === file,
    );
  } catch {
    return false;
  }
};

/** Whatever an agent of ours starts bears its mark. Whose environment we may not read is somebody else's. */
const isOurs = (pid: number): boolean =>
  read(pid, "environ")
    .split("\0")
    .some((entry) => entry.startsWith("REPRISE_EXECUTION="));

const read = (pid: number, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return "";
  }
};

const linkOf = (path: string): string | null => {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
};
