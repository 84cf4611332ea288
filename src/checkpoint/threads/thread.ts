import { type ResourceLimits, Worker } from "node:worker_threads";
import { hasErrno } from "../../kit/errno.ts";
import { threadEnvironment } from "../../kit/processes/thread-environment.ts";
import { VaultFailure } from "../format/failure.ts";
import type {
  Answered,
  CallMap,
  Listener,
  VaultPaths,
} from "./thread-messages.ts";

/** What runs in a thread. */
export interface ThreadProgram {
  path: string;
  /** How much memory is set aside for objects that do not live long. */
  youngMegabytes: number;
}

interface Waiter {
  resolve(answer: unknown): void;
  reject(failure: VaultFailure): void;
}

/** A thread of the vault, seen from outside. It does one thing at a time. */
export class Thread<C extends CallMap<C>> {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiter>();
  #lastId = 0;
  #over: VaultFailure | null = null;

  constructor(
    { path, youngMegabytes }: ThreadProgram,
    place: VaultPaths,
    listener: Listener,
    limits: ResourceLimits = {},
  ) {
    this.#worker = new Worker(path, {
      workerData: place,
      env: threadEnvironment(),
      // It calls the C library, and Node calls that an experiment.
      execArgv: ["--disable-warning=ExperimentalWarning"],
      resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes, ...limits },
    });
    // Whoever waits for an answer keeps the process alive, an idle thread does not.
    this.#worker.unref();
    this.#worker.on("message", (message: Answered) => {
      if ("warning" in message) listener.warn(message.warning);
      else if ("damage" in message) listener.damaged(message.damage);
      else this.#settle(message);
    });
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", () => this.#fail(undefined));
  }

  /** How much it was asked and has not answered. */
  get load(): number {
    return this.#waiting.size;
  }

  get isIdle(): boolean {
    return this.load === 0;
  }

  get isOver(): boolean {
    return this.#over !== null;
  }

  call<K extends keyof C>(
    call: K,
    asked: C[K]["asked"],
    abort: SharedArrayBuffer,
  ): Promise<C[K]["answer"]> {
    if (this.#over !== null) return Promise.reject(this.#over);
    const id = ++this.#lastId;
    this.#worker.ref();
    return new Promise<C[K]["answer"]>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
      this.#worker.postMessage({ id, call, asked, abort });
    });
  }

  async close(): Promise<void> {
    this.#over ??= new VaultFailure("closed", "the vault is closed");
    await this.#worker.terminate();
  }

  #settle(message: Extract<Answered, { id: number }>): void {
    const waiter = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if ("failure" in message) {
      const { code, message: words } = message.failure;
      waiter?.reject(new VaultFailure(code, words));
    } else waiter?.resolve(message.answer);
  }

  #fail(cause: unknown): void {
    this.#over ??= endedBy(cause);
    for (const waiter of this.#waiting.values()) waiter.reject(this.#over);
    this.#waiting.clear();
  }
}

const endedBy = (cause: unknown): VaultFailure => {
  if (hasErrno(cause, "ERR_WORKER_OUT_OF_MEMORY"))
    return new VaultFailure(
      "out_of_memory",
      "there is not enough memory for so many files",
      { cause },
    );
  const words = cause instanceof Error ? cause.message : "it ended";
  return new VaultFailure(
    "storage_failed",
    `a thread of the vault is gone: ${words}`,
    { cause },
  );
};
