import { once } from "node:events";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { RepriseError } from "../../contract/problem.ts";
import { threadEnvironment } from "../../kit/thread-environment.ts";
import type { Refusal } from "../refusal.ts";
import type {
  Answer,
  Calls,
  Opened,
  Opening,
  Request,
  ToThread,
} from "./calls.ts";

interface Waiter {
  resolve(value: unknown): void;
  reject(error: RepriseError): void;
}

/** The main thread's end of a database thread. */
export class Thread<C extends Calls<C>> {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiter>();
  #outbox: Request<C>[] = [];
  #lastId = 0;
  /** Why nothing can be asked any more. */
  #over: RepriseError | null = null;
  #idle: (() => void) | null = null;
  #closing: Promise<void> | null = null;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on("message", (answers: readonly Answer[]) => {
      for (const answer of answers) this.#settle(answer);
    });
    worker.on("error", (cause) => this.#fail(cause));
    worker.on("exit", () => this.#fail(undefined));
  }

  /** Starts the thread and waits until it has opened the database. */
  static async start<C extends Calls<C>>(
    file: "writer-thread" | "reader-thread",
    opened: Opened,
  ): Promise<{
    thread: Thread<C>;
    migrated: readonly string[];
    damage: string | null;
  }> {
    // The neighbour has our own extension: `.ts` in a clone, `.js` in the package.
    const url = new URL(
      `./${file}${extname(import.meta.filename)}`,
      import.meta.url,
    );
    const worker = new Worker(url, {
      workerData: opened,
      name: file,
      env: threadEnvironment(),
    });
    const opening = await new Promise<Opening>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
    if ("failure" in opening) {
      await worker.terminate();
      throw errorOf(opening.failure);
    }
    return { thread: new Thread<C>(worker), ...opening };
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
    if (this.#worker.threadId === -1) return;
    const exited = once(this.#worker, "exit");
    this.#post("close");
    await exited;
  }

  #flush(): void {
    const requests = this.#outbox;
    this.#outbox = [];
    this.#post(requests);
  }

  #post(message: ToThread<C>): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
    this.#worker.postMessage(message);
  }

  #settle(answer: Answer): void {
    const waiter = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ("failure" in answer) waiter?.reject(errorOf(answer.failure));
    else waiter?.resolve(answer.value);
    if (this.#waiting.size === 0) this.#idle?.();
  }

  /** The thread is gone without having been asked to go: whether the last writes were made is unknown. */
  #fail(cause: unknown): void {
    this.#over ??= new RepriseError(
      "storage_unavailable",
      "The thread that holds the database has ended. Start the server again.",
      { cause },
    );
    for (const waiter of this.#waiting.values()) waiter.reject(this.#over);
    this.#waiting.clear();
    this.#idle?.();
  }
}

const errorOf = ({ code, message, damaged_from }: Refusal): RepriseError =>
  new RepriseError(
    code,
    message,
    damaged_from === undefined ? {} : { damaged_from },
  );
