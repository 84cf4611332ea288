/** Does a fixed piece of work now and then, and says how long it took. */
import assert from "node:assert/strict";
import { parentPort, workerData } from "node:worker_threads";

const ROUNDS = 1e8;

const work = (): number => {
  let x = 88_172_645;
  for (let round = 0; round < ROUNDS; round += 1) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
  }
  return x;
};

const measure = (): void => {
  const began = performance.now();
  // Looked at, so that the work cannot be left out.
  assert.notEqual(work(), 0);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not to a window
  parentPort?.postMessage(performance.now() - began);
};

measure();
setInterval(measure, Number(workerData));
