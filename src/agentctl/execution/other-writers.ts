import { readFile } from "node:fs/promises";
import type { ExecutionId } from "../../contract/base/id.ts";

/**
 * Of processes that have an agent's session open, those that are not of these executions: somebody goes on with it in
 * a terminal, or a copy of our session does, in this home or another. Two writers would spoil it. Whatever an agent
 * starts bears its mark; whose environment we may not read is somebody else's.
 */
export const otherWriters = async (
  pids: readonly number[],
  executions: readonly ExecutionId[],
): Promise<number[]> => {
  const marks = new Set(executions.map((id) => `REPRISE_EXECUTION=${id}`));
  const others: number[] = [];
  for (const pid of pids)
    if (pid !== process.pid && !(await bearsOne(marks, pid))) others.push(pid);
  return others;
};

const bearsOne = async (
  marks: ReadonlySet<string>,
  pid: number,
): Promise<boolean> => {
  const environ = await readFile(`/proc/${pid}/environ`, "latin1").catch(
    () => "",
  );
  return environ.split("\0").some((entry) => marks.has(entry));
};
