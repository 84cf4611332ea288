/**
 * By how much this machine is slower than the one that deadlines are written for: a quiet one. A thread of its own does
 * the same piece of work again and again; how long that takes shows how fast the processor is and how many others want it.
 */
import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";

/** How long the piece of work takes on a quiet machine. */
export const REFERENCE_MS = 110;
/** How often it is done: it takes a hundredth of one core. */
export const EVERY_MS = 10_000;
/** So many measurements count: a machine that was busy a minute ago may be so again. */
const KEPT = 6;
/** Beyond that a test that waits has failed, whatever the machine does. */
const MAX_SLOWNESS = 20;

export class Slowness {
  readonly #worker: Worker;
  readonly #measured: number[] = [];

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on("message", (ms: number) => {
      this.#measured.push(ms);
      if (this.#measured.length > KEPT) this.#measured.shift();
    });
  }

  /** Resolves when it was measured once. */
  static async start(): Promise<Slowness> {
    const worker = new Worker(join(import.meta.dirname, "work-thread.ts"), {
      workerData: EVERY_MS,
    });
    const slowness = new Slowness(worker);
    await once(worker, "message");
    worker.unref();
    return slowness;
  }

  /** 1 on a quiet machine, 3 on one where everything takes three times as long. */
  get factor(): number {
    return factorOf(this.#measured);
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** By the worst of the latest measurements. */
export const factorOf = (measured: readonly number[]): number => {
  const worst = Math.max(...measured, REFERENCE_MS) / REFERENCE_MS;
  return Math.min(MAX_SLOWNESS, Math.round(worst * 10) / 10);
};
