import { basename, extname } from "node:path";
import { Worker } from "node:worker_threads";
import { RepriseError } from "../../../contract/problem/problem.ts";
import { threadEnvironment } from "../../../kit/processes/thread-environment.ts";
import type { Calls } from "../../../kit/worker-rpc/messages.ts";
import { WorkerCalls } from "../../../kit/worker-rpc/worker-calls.ts";
import type { Refusal } from "../../refusal.ts";
import type { Opened, OpenResult } from "../base/calls.ts";

export interface ThreadOptions {
  /** The file that runs in it. */
  program: URL;
  opened: Opened;
  /** Refuses to open the database again, by throwing, where it is not the one that was opened first. */
  check?: () => void;
  /** Called when the thread ended without having been asked to. */
  onEnded?: (cause: unknown) => void;
  /** Called with what was found to be wrong with the database when it was opened again. */
  onDamage?: (damage: string) => void;
}

/** The neighbour has our own extension: `.ts` in a clone, `.js` in the package. */
export const programOf = (file: "writer-thread" | "reader-thread"): URL =>
  new URL(`./${file}${extname(import.meta.filename)}`, import.meta.url);

/**
 * The main thread's end of a database thread. One that ends by itself, for want of memory say, is started again with the
 * next request. What it had not answered is refused: whether that was written is not known.
 */
export class Thread<C extends Calls<C>> {
  readonly #options: ThreadOptions;
  /** Null from the end of one worker until the next has started. */
  #calls: WorkerCalls<C, Refusal> | null;
  #starting: Promise<WorkerCalls<C, Refusal>> | null = null;
  /** Why nothing can be asked any more. */
  #over: RepriseError | null = null;
  #closing: Promise<void> | null = null;

  private constructor(options: ThreadOptions, worker: Worker) {
    this.#options = options;
    this.#calls = this.#callsTo(worker);
  }

  /** Starts the thread and waits until it has opened the database. */
  static async start<C extends Calls<C>>(
    options: ThreadOptions,
  ): Promise<{
    thread: Thread<C>;
    migrated: readonly string[];
    damage: string | null;
  }> {
    const { worker, ...result } = await startWorker(options);
    return { thread: new Thread<C>(options, worker), ...result };
  }

  ask<K extends keyof C>(
    kind: K,
    query: C[K]["query"],
  ): Promise<C[K]["answer"]> {
    if (this.#over !== null) return Promise.reject(this.#over);
    if (this.#calls !== null && this.#starting === null)
      return this.#calls.call(kind, query);
    return this.#startedAgain().then((calls) => calls.call(kind, query));
  }

  /** Refuses what comes from now on. */
  refuse(): void {
    this.#over ??= new RepriseError(
      "storage_unavailable",
      "The store is closed.",
    );
  }

  /** Waits for what was asked before, then ends the thread. */
  close(): Promise<void> {
    this.refuse();
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    await this.#starting?.catch(() => null);
    await this.#calls?.close();
  }

  #callsTo(worker: Worker): WorkerCalls<C, Refusal> {
    return new WorkerCalls<C, Refusal>(worker, {
      errorOf,
      endedBy: endedError,
      onExit: (cause) => {
        this.#calls = null;
        if (this.#closing === null) this.#options.onEnded?.(cause);
      },
      batches: true,
      keepsAlive: true,
    });
  }

  /** One start for all who wait for it; they ask in the order they came. */
  #startedAgain(): Promise<WorkerCalls<C, Refusal>> {
    if (this.#starting !== null) return this.#starting;
    const starting = (this.#starting = this.#startAgain());
    const over = (): void => void (this.#starting = null);
    void starting.then(over, over);
    return starting;
  }

  async #startAgain(): Promise<WorkerCalls<C, Refusal>> {
    try {
      this.#options.check?.();
      const { worker, damage } = await startWorker(this.#options);
      if (damage !== null) this.#options.onDamage?.(damage);
      return (this.#calls = this.#callsTo(worker));
    } catch (error) {
      throw error instanceof RepriseError ? error : endedError(error);
    }
  }
}

const startWorker = async ({ program, opened }: ThreadOptions) => {
  const worker = new Worker(program, {
    workerData: opened,
    name: basename(program.pathname, extname(program.pathname)),
    env: threadEnvironment(),
  });
  const result = await new Promise<OpenResult>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(endedError(null)));
  });
  if ("failure" in result) {
    await worker.terminate();
    throw errorOf(result.failure);
  }
  return { worker, ...result };
};

const endedError = (cause: unknown): RepriseError =>
  new RepriseError(
    "storage_unavailable",
    `A thread of the database has ended${cause instanceof Error ? ` (${cause.message})` : ""}, and is started again. What was asked of it may have been done or not: look, and ask again.`,
    { cause },
  );

const errorOf = ({ code, message, damaged_from }: Refusal): RepriseError =>
  new RepriseError(
    code,
    message,
    damaged_from === undefined ? {} : { damaged_from },
  );
