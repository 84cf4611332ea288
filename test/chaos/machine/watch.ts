/** Looks at the machine again and again: who runs, who writes, what must be kept. */
import { setTimeout as pause } from "node:timers/promises";
import { keepOutput } from "./keep-output.ts";
import { agentctlIn } from "./held.ts";
import { markedIn, type Marked } from "./marked.ts";
import { isRunning, keyOf, type Process } from "./processes.ts";
import type { Stage } from "../stage.ts";

const EVERY_MS = 60;

export const watch = async (stage: Stage): Promise<void> => {
  const known = new Set<string>();
  let holder: Process | null = null;
  while (!stage.curtain.aborted) {
    keepOutput(stage.house);
    holder = nextHolder(stage, holder);
    for (const pair of twoWriters(markedIn(stage.house.home))) {
      if (known.has(pair)) continue;
      known.add(pair);
      stage.violations.add(
        "P4",
        null,
        `two executions of one session live at once: ${pair}`,
      );
    }
    await pause(EVERY_MS, undefined, { signal: stage.curtain }).catch(
      () => null,
    );
  }
};

/** The agentctl that holds the home now. That the last one is gone must be our doing. */
const nextHolder = (
  { house, struck, violations }: Stage,
  last: Process | null,
): Process | null => {
  if (last !== null && isRunning(last)) return last;
  if (last !== null && !struck.has(keyOf(last)))
    violations.add("crash", null, `agentctl ${last.pid} ended by itself`);
  return agentctlIn(house.home);
};

/**
 * Looking at every process takes time in which one may end and its successor begin. Two are alive at once only if the
 * first one is still there after the second was seen.
 */
const twoWriters = (seen: readonly Marked[]): string[] =>
  seen.flatMap((first) =>
    seen
      .filter(
        (second) =>
          first.session === second.session &&
          first.execution !== second.execution,
      )
      .filter(() => isRunning(first))
      .map(
        (second) =>
          `${first.session}: ${describe(first)} and ${describe(second)}`,
      ),
  );

const describe = ({ pid, execution, command }: Marked): string =>
  `process ${pid} of ${execution} (${command})`;
