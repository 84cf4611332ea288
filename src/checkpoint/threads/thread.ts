import { type ResourceLimits, Worker } from "node:worker_threads";
import { hasErrno } from "../../kit/errno.ts";
import { threadEnvironment } from "../../kit/processes/thread-environment.ts";
import type { Calls } from "../../kit/worker-rpc/messages.ts";
import { WorkerCalls } from "../../kit/worker-rpc/worker-calls.ts";
import { VaultFailure } from "../format/failure.ts";
import type { Failed, Listener, Note, VaultPaths } from "./thread-messages.ts";

/** What runs in a thread. */
export interface ThreadProgram {
  path: string;
  /** How much memory is set aside for objects that do not live long. */
  youngMegabytes: number;
}

/** A thread of the vault, seen from outside. It does one thing at a time. */
export class Thread<C extends Calls<C>> {
  readonly #calls: WorkerCalls<C, Failed, Note>;

  constructor(
    { path, youngMegabytes }: ThreadProgram,
    place: VaultPaths,
    listener: Listener,
    limits: ResourceLimits = {},
  ) {
    const worker = new Worker(path, {
      workerData: place,
      env: threadEnvironment(),
      // It calls the C library, and Node calls that an experiment.
      execArgv: ["--disable-warning=ExperimentalWarning"],
      resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes, ...limits },
    });
    this.#calls = new WorkerCalls<C, Failed, Note>(worker, {
      errorOf: ({ code, message }) => new VaultFailure(code, message),
      endedBy,
      onNote: (note) => {
        if ("warning" in note) listener.warn(note.warning);
        else listener.damaged(note.damage);
      },
      // A thread that shares its work with others computes on once it has given them their part.
      batches: false,
      keepsAlive: false,
    });
  }

  /** How much it was asked and has not answered. */
  get load(): number {
    return this.#calls.load;
  }

  get isIdle(): boolean {
    return this.load === 0;
  }

  get isOver(): boolean {
    return this.#calls.isOver;
  }

  call<K extends keyof C>(
    call: K,
    asked: C[K]["query"],
    abort: SharedArrayBuffer,
  ): Promise<C[K]["answer"]> {
    return this.#calls.call(call, asked, abort);
  }

  close(): Promise<void> {
    return this.#calls.terminate(
      new VaultFailure("closed", "the vault is closed"),
    );
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
