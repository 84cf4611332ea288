import { Gate } from "../kit/gate.ts";
import type { CallName, Calls, Place } from "./calls.ts";
import { VaultFailure } from "./failure.ts";
import { Thread } from "./thread.ts";

/** A thread with nothing to do is let go after this time: it costs ten megabytes. */
const IDLE_MS = 30_000;

export interface Called<T> {
  answer: Promise<T>;
  settled: Promise<void>;
}

/** A few threads for all workspaces; who comes when all are busy waits. */
export class Crew {
  readonly #place: Place;
  readonly #warn: (warning: string) => void;
  readonly #gate: Gate;
  readonly #threads = new Set<Thread>();
  readonly #timers = new Map<Thread, NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  #isClosed = false;

  constructor(place: Place, width: number, warn: (warning: string) => void) {
    this.#place = place;
    this.#gate = new Gate(width);
    this.#warn = warn;
  }

  /**
   * With an aborted signal the answer rejects at once, while the thread still puts away what it has; `settled`
   * resolves when it has done that too.
   */
  call<K extends CallName>(
    call: K,
    asked: Calls[K]["asked"],
    signal?: AbortSignal,
  ): Called<Calls[K]["answer"]> {
    const abort = new SharedArrayBuffer(4);
    const work = this.#do(call, asked, abort, signal);
    const settled = work.then(
      () => {},
      () => {},
    );
    this.#running.add(settled);
    void settled.then(() => this.#running.delete(settled));
    const answer = signal === undefined ? work : orAborted(work, abort, signal);
    return { answer, settled };
  }

  /** A thread for something long that has a memory, besides the others. The caller closes it. */
  extra(): Thread {
    return new Thread(this.#place, this.#warn);
  }

  /** Resolves when nothing is being done. */
  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.drain();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all([...this.#threads].map((thread) => thread.close()));
    this.#threads.clear();
  }

  async #do<K extends CallName>(
    call: K,
    asked: Calls[K]["asked"],
    abort: SharedArrayBuffer,
    signal: AbortSignal | undefined,
  ): Promise<Calls[K]["answer"]> {
    const leave = await this.#gate.enter();
    try {
      if (this.#isClosed)
        throw new VaultFailure("closed", "the vault is closed");
      if (signal?.aborted === true) throw calledOff();
      const thread = this.#take();
      try {
        return await thread.call(call, asked, abort);
      } finally {
        this.#giveBack(thread);
      }
    } finally {
      leave();
    }
  }

  #take(): Thread {
    for (const thread of this.#threads)
      if (thread.isOver) this.#threads.delete(thread);
      else if (thread.isIdle) {
        clearTimeout(this.#timers.get(thread));
        return thread;
      }
    const thread = new Thread(this.#place, this.#warn);
    this.#threads.add(thread);
    return thread;
  }

  #giveBack(thread: Thread): void {
    clearTimeout(this.#timers.get(thread));
    const timer = setTimeout(() => {
      this.#threads.delete(thread);
      this.#timers.delete(thread);
      void thread.close();
    }, IDLE_MS);
    timer.unref();
    this.#timers.set(thread, timer);
  }
}

const orAborted = async <T>(
  work: Promise<T>,
  abort: SharedArrayBuffer,
  signal: AbortSignal,
): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => {
    Atomics.store(new Int32Array(abort), 0, 1);
    reject(calledOff());
  };
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
};

const calledOff = (): VaultFailure =>
  new VaultFailure("aborted", "it was called off");
