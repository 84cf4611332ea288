/** Which files and which tests took longest, for whoever wants a run to be shorter. */
import { relative } from "node:path";
import type { FileResult } from "./file-result.ts";

/** Shorter tests are not worth a line. */
const LEAST_MS = 1000;

/** By what the processors did, where that was counted: the time by the clock depends on what else ran. */
export const describeTimes = (
  results: readonly FileResult[],
  root: string,
): string => {
  const files = results.toSorted((a, b) => cost(b) - cost(a));
  const tests = results
    .flatMap(({ file, outcomes }) =>
      outcomes.map(({ name, ms }) => ({ file, name, ms })),
    )
    .filter(({ ms }) => ms >= LEAST_MS)
    .toSorted((a, b) => b.ms - a.ms);
  const wasCounted = results.some(({ coreMs }) => coreMs !== undefined);
  const cores = results.reduce((sum, { coreMs = 0 }) => sum + coreMs, 0);
  return [
    `Files: seconds by the clock${wasCounted ? `, of a core (${seconds(cores).trim()} together)` : ""}`,
    ...files.map((each) => lineOf(each, wasCounted, root)),
    "",
    "Tests: seconds by the clock",
    ...tests.map(
      ({ file, name, ms }) =>
        `${seconds(ms)}  ${relative(root, file)}: ${name}`,
    ),
    "",
  ].join("\n");
};

const cost = ({ coreMs, ms }: FileResult): number => coreMs ?? ms;

/** What was counted for a process is told with its first file; the others have the time of their tests. */
const lineOf = (
  { file, ms, coreMs, others }: FileResult,
  wasCounted: boolean,
  root: string,
): string => {
  const core = coreMs === undefined ? "-".padStart(8) : seconds(coreMs);
  const together = others === undefined ? "" : ` (its process: ${others} more)`;
  return `${seconds(ms)}${wasCounted ? core : ""}  ${relative(root, file)}${together}`;
};

const seconds = (ms: number): string => (ms / 1000).toFixed(1).padStart(8);
