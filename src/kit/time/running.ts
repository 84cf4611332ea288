/**
 * Time in which this process runs. Where it was frozen, or the machine asleep, timers are late, and they fire before anything
 * is read that came meanwhile: whoever gives up at a deadline would give up on what is already there.
 */
import {
  setImmediate as nextTurn,
  setTimeout as delay,
} from "node:timers/promises";

/** Whether this process did not run for a while, although it should have looked again after so long. */
export const didNotRun = (since: number, ms: number): boolean =>
  performance.now() - since > 2 * ms;

/** Resolves after so long in which this process ran, and has read what came until then. */
export const runningFor = async (
  ms: number,
  signal: AbortSignal,
): Promise<void> => {
  let since: number;
  do {
    since = performance.now();
    await delay(ms, null, { signal });
    await nextTurn(null, { signal });
  } while (didNotRun(since, ms));
};
