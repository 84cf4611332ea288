import { extname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { LinkError } from "../../../contract/link/link-error.ts";
import { threadEnvironment } from "../../../kit/processes/thread-environment.ts";
import { DeadlineExceeded, within } from "../../../kit/time/deadline.ts";
import { WorkerCalls } from "../../../kit/worker-rpc/worker-calls.ts";
import type { CallFailure, FileCalls } from "./file-calls.ts";

/** So many at once. Others wait in the line of the one that has least to do. */
const MAX_THREADS = 2;
/** A thread with nothing to do is closed after this time: it costs ten megabytes. */
const IDLE_MS = 30_000;
/** A thread that takes longer hangs in the system: a disk behind a network is gone, say. */
const DEADLINE_MS = 20_000;

type Thread = WorkerCalls<FileCalls, CallFailure>;

/** The threads that look at workspaces. */
export class FileThreads {
  readonly #threads = new Set<Thread>();
  readonly #deadlineMs: number;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(deadlineMs = DEADLINE_MS) {
    this.#deadlineMs = deadlineMs;
  }

  async call<K extends keyof FileCalls>(
    kind: K,
    query: FileCalls[K]["query"],
  ): Promise<FileCalls[K]["answer"]> {
    if (this.#isClosed) throw closed();
    clearTimeout(this.#idle);
    const thread = this.#free();
    try {
      return await within(kind, this.#deadlineMs, thread.call(kind, query));
    } catch (error) {
      if (!(error instanceof DeadlineExceeded)) throw error;
      this.#abandon(thread);
      throw hangs();
    } finally {
      this.#rest();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    await this.#closeAll();
  }

  #free(): Thread {
    for (const thread of this.#threads)
      if (thread.isOver) this.#threads.delete(thread);
    const [least] = [...this.#threads].sort((a, b) => a.load - b.load);
    const isBusy = least === undefined || least.load > 0;
    if (!isBusy || this.#threads.size >= MAX_THREADS) return least ?? start();
    const thread = start();
    this.#threads.add(thread);
    return thread;
  }

  /** Another takes its place. It may never end. */
  #abandon(thread: Thread): void {
    this.#threads.delete(thread);
    void thread.terminate(hangs());
  }

  #rest(): void {
    if (this.#isClosed || [...this.#threads].some(({ load }) => load > 0))
      return;
    this.#idle = setTimeout(() => void this.#closeAll(), IDLE_MS).unref();
  }

  async #closeAll(): Promise<void> {
    const all = [...this.#threads];
    this.#threads.clear();
    await Promise.all(all.map((thread) => thread.terminate(closed())));
  }
}

/** Beside this file, in a clone, in the package and in agentctl's bundle alike. */
const PROGRAM = join(
  import.meta.dirname,
  `files-worker${extname(import.meta.filename)}`,
);

const start = (): Thread =>
  new WorkerCalls<FileCalls, CallFailure>(
    new Worker(PROGRAM, {
      env: threadEnvironment(),
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
      // Descriptors that it opens are handed on.
      trackUnmanagedFds: false,
    }),
    {
      errorOf: ({ code, message }) =>
        new LinkError(code ?? "internal", message),
      endedBy: (cause) =>
        new LinkError("internal", `a thread is gone: ${String(cause)}`),
      batches: false,
      keepsAlive: false,
    },
  );

const closed = (): LinkError =>
  new LinkError("internal", "agentctl is closing");

const hangs = (): LinkError =>
  new LinkError(
    "timed_out",
    "The disk of the workspace does not answer. Check it, then try again.",
  );
