import { readFile } from "node:fs/promises";

/**
 * Of processes that have an agent's session open, those that are none of ours: somebody goes on with it in a terminal.
 * Two writers would spoil it. Whatever an agent of ours starts bears its mark; whose environment we may not read is
 * somebody else's.
 */
export const otherWriters = async (
  pids: readonly number[],
): Promise<number[]> => {
  const others: number[] = [];
  for (const pid of pids)
    if (pid !== process.pid && !(await isOurs(pid))) others.push(pid);
  return others;
};

const isOurs = async (pid: number): Promise<boolean> => {
  const environ = await readFile(`/proc/${pid}/environ`, "latin1").catch(
    () => "",
  );
  return environ
    .split("\0")
    .some((entry) => entry.startsWith("REPRISE_EXECUTION="));
};
