/** Runs all units, as many at a time as the processors have room for, and tells of each as it ends. */
import { chmod, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { IdleCores, LOOK_MS } from "./idle-cores.ts";
import { type FileResult, fileResults } from "./file-result.ts";
import { describeFile } from "./report.ts";
import { runUnit } from "./run-unit.ts";
import { nextUnit, type Places } from "./schedule.ts";
import type { Slowness } from "./slowness.ts";
import type { Unit } from "./units.ts";

/**
 * How slow the machine is taken to be at least where several units run. The first of them, which are the longest, are told
 * before the others have made it slow.
 */
const LEAST_BESIDE_OTHERS = 3;

export const runAll = async (run: {
  root: string;
  units: readonly Unit[];
  places: Places;
  grep: string | undefined;
  slowness: Slowness;
  env: Readonly<Record<string, string>>;
  counts: boolean;
  signal: AbortSignal;
}): Promise<{ results: FileResult[]; slowest: number }> => {
  const scratch = await realpath(await mkdtemp(join(tmpdir(), "reprise-")));
  // Tests that try something as another user must get to their own directory.
  await chmod(scratch, 0o711);
  const waiting = [...run.units];
  const running = new Set<Promise<void>>();
  const results: FileResult[] = [];
  let slowest = 1;
  const least = run.units.length > 1 ? LEAST_BESIDE_OTHERS : 1;
  let started = 0;
  const idle = new IdleCores(run.places.cores);

  const start = async (unit: Unit): Promise<void> => {
    const factor = Math.max(run.slowness.factor, least);
    slowest = Math.max(slowest, factor);
    const result = await runUnit(unit.files, {
      tmp: join(scratch, String((started += 1))),
      grep: run.grep,
      signal: run.signal,
      slowness: factor,
      env: run.env,
      counts: run.counts,
    });
    for (const each of fileResults(result, run.grep !== undefined)) {
      results.push(each);
      console.log(describeFile(each, run.root));
    }
  };

  try {
    while (!run.signal.aborted && waiting.length + running.size > 0) {
      const unit = nextUnit(waiting, running.size, idle.count(), run.places);
      if (unit !== null) {
        waiting.splice(waiting.indexOf(unit), 1);
        const ended = start(unit).finally(() => running.delete(ended));
        running.add(ended);
        idle.lookAgain();
      } else await Promise.race([...running, wait(LOOK_MS)]);
    }
    await Promise.all(running);
  } finally {
    // What was just killed may still be writing.
    await rm(scratch, { recursive: true, force: true, maxRetries: 10 });
  }
  return { results, slowest };
};
