import { readdirSync, readFileSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { readPlain } from "../../kit/files/read-plain.ts";

/**
 * Which processes have a session open, by what agents leave behind for each other. Where there is no /proc nobody is
 * seen. A file may outlive its process, and the number may be another's by then: so the program is looked at, too.
 */

const LONGEST_CLAIM = 64 * 1024;
const Claim = z.object({ pid: z.number().int(), sessionId: z.string() });

/** Claude: one file per process, `{pid, sessionId}`. */
export const claimedInFiles = async (
  directory: string,
  token: string,
): Promise<number[]> => {
  const pids: number[] = [];
  for (const name of await readdir(directory).catch(() => [])) {
    if (!name.endsWith(".json")) continue;
    const text = await readPlain(join(directory, name), LONGEST_CLAIM).catch(
      () => null,
    );
    const claim = Claim.safeParse(parse(text ?? "")).data;
    if (claim?.sessionId === token) pids.push(claim.pid);
  }
  return pids.filter((pid) => commandOf(pid).includes("claude"));
};

/** Copilot: `inuse.<pid>.lock` beside the session. */
export const claimedByNames = async (directory: string): Promise<number[]> => {
  const names = await readdir(directory).catch(() => []);
  return names
    .flatMap((name) => /^inuse\.(\d+)\.lock$/.exec(name)?.[1] ?? [])
    .map(Number)
    .filter((pid) => commandOf(pid).includes("copilot"));
};

/** Codex: whoever writes a thread has its file locked; the system tells by whom: `1: FLOCK ADVISORY WRITE 4711 08:01:1234 0 EOF`. */
export const lockHolders = async (path: string): Promise<number[]> => {
  const inode = await stat(path).then(
    ({ ino }) => ino,
    () => null,
  );
  if (inode === null) return [];
  const locks = await readFile("/proc/locks", "utf8").catch(() => "");
  return locks
    .split("\n")
    .map((line) => line.split(/\s+/))
    .filter(([, , , , , file]) => file?.endsWith(`:${inode}`))
    .map(([, , , , pid]) => Number(pid))
    .filter((pid) => commandOf(pid).includes("codex"));
};

/** The others: whoever was started with the session's id. */
export const namedOnCommandLines = (token: string): number[] =>
  processes().filter((pid) =>
    commandOf(pid)
      .split("\0")
      .some((word) => word === token || word.endsWith(`=${token}`)),
  );

const processes = (): number[] => {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
};

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
