/** Keeps what agents write after agentctl has forgotten them: a second name for every stdout, as soon as it appears. */
import { linkSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { hasErrno } from "../../src/kit/errno.ts";
import type { ChaosHouse } from "./house.ts";

export const keepOutput = ({ executions, kept }: ChaosHouse): void => {
  const have = new Set(readdirSync(kept));
  for (const name of namesIn(executions)) {
    if (have.has(name)) continue;
    try {
      linkSync(join(executions, name, "stdout"), join(kept, name));
    } catch (error) {
      // Not made yet, or forgotten already.
      if (!hasErrno(error, "ENOENT")) throw error;
    }
  }
};

const namesIn = (directory: string): string[] => {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return [];
    throw error;
  }
};
