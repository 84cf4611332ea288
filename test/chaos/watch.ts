/** Looks at the machine again and again: who runs, who writes, what must be kept. */
import { setTimeout as pause } from "node:timers/promises";
import { join } from "node:path";
import { z } from "zod";
import { readIfThere } from "../../src/kit/durable-file.ts";
import { keepOutput } from "./keep-output.ts";
import { everyProcess, lookAt, type Seen } from "./processes.ts";
import type { Stage } from "./stage.ts";

const EVERY_MS = 60;

export const watch = async (stage: Stage): Promise<void> => {
  const known = new Set<string>();
  let holder: number | null = null;
  while (!stage.curtain.aborted) {
    keepOutput(stage.house);
    holder = await nextHolder(stage, holder);
    for (const pair of twoWriters(
      stage.house.home,
      everyProcess(stage.house.home),
    )) {
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
const nextHolder = async (
  { house, struck, violations }: Stage,
  last: number | null,
): Promise<number | null> => {
  if (last !== null && lookAt(last, house.home) !== null) return last;
  if (last !== null && !struck.has(last))
    violations.add("crash", null, `agentctl ${last} ended by itself`);
  const announced = await readIfThere(
    join(house.home, "agentctl", "agentctl.json"),
  );
  const pid = Holder.safeParse(JSON.parse(announced ?? "null")).data?.pid;
  return pid !== undefined && lookAt(pid, house.home)?.kind === "agentctl"
    ? pid
    : null;
};

const Holder = z.object({ pid: z.number() });

/**
 * Looking at every process takes time in which one may end and its successor begin. Two are alive at once only if the
 * first one is still there after the second was seen.
 */
const twoWriters = (home: string, seen: readonly Seen[]): string[] =>
  seen.flatMap((first) =>
    seen
      .filter(
        (second) =>
          first.session !== null &&
          first.session === second.session &&
          first.execution !== second.execution,
      )
      .filter(() => lookAt(first.pid, home)?.start === first.start)
      .map(
        (second) =>
          `${first.session}: ${describe(first)} and ${describe(second)}`,
      ),
  );

const describe = ({ kind, pid, execution }: Seen): string =>
  `${kind} ${pid} of ${execution}`;
