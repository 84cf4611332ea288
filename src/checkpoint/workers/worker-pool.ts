import { Gate } from "../../kit/time/gate.ts";
import type { CallName, Calls } from "./calls.ts";
import { VaultFailure } from "../format/failure.ts";
import type { Thread } from "../threads/thread.ts";

/** A thread with nothing to do is let go after this time: it costs ten megabytes. */
const IDLE_MS = 30_000;
/** A thread that was called off so long ago hangs in the system: the disk it reads from is gone, say. */
const HOPELESS_MS = 60_000;

export interface Called<T> {
  answer: Promise<T>;
  settled: Promise<void>;
}

/** What the pool wants of a thread. */
export type PooledThread = Pick<
  Thread<Calls>,
  "call" | "isIdle" | "isOver" | "close"
>;

/** A few threads for all workspaces; who comes when all are busy waits. */
export class WorkerPool<H extends PooledThread = Thread<Calls>> {
  readonly #startThread: () => H;
  readonly #warn: (warning: string) => void;
  readonly #gate: Gate;
  readonly #threads = new Set<H>();
  readonly #timers = new Map<H, NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  #isClosed = false;

  constructor(
    startThread: () => H,
    width: number,
    warn: (warning: string) => void,
  ) {
    this.#startThread = startThread;
    this.#gate = new Gate(width);
    this.#warn = warn;
  }

  /**
   * With an aborted signal the answer rejects at once, while the thread still puts away what it has; `settled`
   * resolves when it has done that too.
   */
  call<K extends CallName>(
    call: K,
    asked: Calls[K]["query"],
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
  extra(): H {
    return this.#startThread();
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
    asked: Calls[K]["query"],
    abort: SharedArrayBuffer,
    signal: AbortSignal | undefined,
  ): Promise<Calls[K]["answer"]> {
    const leave = await this.#gate.enter();
    try {
      if (this.#isClosed)
        throw new VaultFailure("closed", "the vault is closed");
      if (signal?.aborted === true) throw calledOff();
      const thread = this.#take();
      const work = thread.call(call, asked, abort);
      if (await isHopeless(work, signal)) {
        this.#abandon(thread, work);
        throw calledOff();
      }
      this.#giveBack(thread);
      return await work;
    } finally {
      leave();
    }
  }

  #take(): H {
    for (const thread of this.#threads)
      if (thread.isOver) this.#threads.delete(thread);
      else if (thread.isIdle) {
        clearTimeout(this.#timers.get(thread));
        return thread;
      }
    const thread = this.#startThread();
    this.#threads.add(thread);
    return thread;
  }

  /** Nobody waits for what it does, and nothing refers to it; another takes its place. */
  #abandon(thread: H, work: Promise<unknown>): void {
    this.#threads.delete(thread);
    this.#warn(
      "a thread of the vault hangs in the system and was given up: is the disk of a workspace gone?",
    );
    const close = () => thread.close();
    void work.then(close, close);
  }

  #giveBack(thread: H): void {
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

/** Whether it was called off, and does not come to an end all the same. */
const isHopeless = async (
  work: Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let timer: NodeJS.Timeout | undefined;
  const watch = (): void => {
    timer = setTimeout(() => resolve(true), HOPELESS_MS);
    timer.unref();
  };
  signal?.addEventListener("abort", watch, { once: true });
  const over = (): false => false;
  try {
    return await Promise.race([work.then(over, over), promise]);
  } finally {
    signal?.removeEventListener("abort", watch);
    clearTimeout(timer);
  }
};

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
