import { once } from "node:events";
import { basename, extname } from "node:path";
import { Worker } from "node:worker_threads";
import { RepriseError } from "../../../contract/problem.ts";
import { threadEnvironment } from "../../../kit/processes/thread-environment.ts";
import type { Refusal } from "../../refusal.ts";
import type {
  Answer,
  Calls,
  Opened,
  Opening,
  Request,
  ToThread,
} from "../base/calls.ts";

interface Waiter {
  resolve(value: unknown): void;
  reject(error: RepriseError): void;
}

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
  #worker: Worker | null = null;
  #starting = false;
  readonly #waiting = new Map<number, Waiter>();
  #outbox: Request<C>[] = [];
  #lastId = 0;
  /** Why nothing can be asked any more. */
  #over: RepriseError | null = null;
  #idle: (() => void) | null = null;
  #closing: Promise<void> | null = null;

  private constructor(options: ThreadOptions, worker: Worker) {
    this.#options = options;
    this.#listenTo(worker);
  }

  /** Starts the thread and waits until it has opened the database. */
  static async start<C extends Calls<C>>(
    options: ThreadOptions,
  ): Promise<{
    thread: Thread<C>;
    migrated: readonly string[];
    damage: string | null;
  }> {
    const { worker, ...opening } = await startWorker(options);
    return { thread: new Thread<C>(options, worker), ...opening };
  }

  ask<K extends keyof C>(
    kind: K,
    query: C[K]["query"],
  ): Promise<C[K]["answer"]> {
    if (this.#over !== null) return Promise.reject(this.#over);
    const id = (this.#lastId += 1);
    return new Promise<C[K]["answer"]>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      if (this.#outbox.length === 0) process.nextTick(() => this.#flush());
      this.#outbox.push({ id, kind, query });
    });
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
    if (this.#waiting.size > 0)
      await new Promise<void>((resolve) => (this.#idle = resolve));
    const worker = this.#worker;
    if (worker === null) return;
    const exited = once(worker, "exit");
    post<C>(worker, "close");
    await exited;
  }

  #listenTo(worker: Worker): void {
    this.#worker = worker;
    worker.on("message", (answers: readonly Answer[]) => {
      for (const answer of answers) this.#settle(answer);
    });
    let cause: unknown;
    worker.on("error", (error: unknown) => {
      cause = error;
    });
    // Only then is its connection closed.
    worker.on("exit", () => this.#ended(cause));
  }

  #flush(): void {
    if (this.#worker === null) return void this.#startAgain();
    const requests = this.#outbox;
    this.#outbox = [];
    if (requests.length > 0) post(this.#worker, requests);
  }

  async #startAgain(): Promise<void> {
    if (this.#starting) return;
    this.#starting = true;
    try {
      this.#options.check?.();
      const { worker, damage } = await startWorker(this.#options);
      if (damage !== null) this.#options.onDamage?.(damage);
      this.#listenTo(worker);
      this.#flush();
    } catch (error) {
      this.#refuseWaiting(
        error instanceof RepriseError ? error : endedError(error),
      );
    } finally {
      this.#starting = false;
    }
  }

  #settle(answer: Answer): void {
    const waiter = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ("failure" in answer) waiter?.reject(errorOf(answer.failure));
    else waiter?.resolve(answer.value);
    if (this.#waiting.size === 0) this.#idle?.();
  }

  #ended(cause: unknown): void {
    this.#worker = null;
    if (this.#closing === null) this.#options.onEnded?.(cause);
    this.#refuseWaiting(endedError(cause));
  }

  #refuseWaiting(error: RepriseError): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#outbox = [];
    for (const waiter of waiting) waiter.reject(error);
    this.#idle?.();
  }
}

const startWorker = async ({ program, opened }: ThreadOptions) => {
  const worker = new Worker(program, {
    workerData: opened,
    name: basename(program.pathname, extname(program.pathname)),
    env: threadEnvironment(),
  });
  const opening = await new Promise<Opening>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(endedError(null)));
  });
  if ("failure" in opening) {
    await worker.terminate();
    throw errorOf(opening.failure);
  }
  return { worker, ...opening };
};

const post = <C extends Calls<C>>(
  worker: Worker,
  message: ToThread<C>,
): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
  worker.postMessage(message);
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
