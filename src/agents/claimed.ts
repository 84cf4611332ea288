import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

/** How agents tell that a process of theirs has a session open. A file may outlive its process, and the number may be another's by then: the program is looked at, too. */

const Claim = z.object({ pid: z.number().int(), sessionId: z.string() });

/** Claude: one file per process, `{pid, sessionId}`. */
export const claimedInFiles = async (
  directory: string,
  token: string,
): Promise<number[]> => {
  const pids: number[] = [];
  for (const name of await readdir(directory).catch(() => [])) {
    if (!name.endsWith(".json")) continue;
    const text = await readFile(join(directory, name), "utf8").catch(() => "");
    const claim = Claim.safeParse(parse(text)).data;
    if (claim?.sessionId === token) pids.push(claim.pid);
  }
  return runs(pids, "claude");
};

/** Copilot: `inuse.<pid>.lock` beside the session. */
export const claimedByNames = async (directory: string): Promise<number[]> => {
  const names = await readdir(directory).catch(() => []);
  const pids = names.flatMap((name) => {
    const match = /^inuse\.(\d+)\.lock$/.exec(name);
    return match === null ? [] : [Number(match[1])];
  });
  return runs(pids, "copilot");
};

const runs = async (
  pids: readonly number[],
  program: string,
): Promise<number[]> => {
  const running: number[] = [];
  for (const pid of pids) {
    const line = await readFile(`/proc/${pid}/cmdline`, "latin1").catch(
      () => "",
    );
    if (line.includes(program)) running.push(pid);
  }
  return running;
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
