/** Keeps what agents write after agentctl has forgotten them: a second name for every stdout, as soon as it appears. */
import { linkSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { hasErrno } from "../../../src/kit/errno.ts";
import type { ChaosHouse } from "../house.ts";

export const keepOutput = ({ executions, kept }: ChaosHouse): void => {
  for (const name of namesIn(executions)) {
    const stdout = join(executions, name, "stdout");
    const mine = join(kept, name);
    try {
      // A start that was cut off is begun anew, with a new file.
      const { ino } = statSync(stdout);
      const known = statSync(mine, { throwIfNoEntry: false });
      if (known?.ino === ino) continue;
      if (known !== undefined) rmSync(mine);
      linkSync(stdout, mine);
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
