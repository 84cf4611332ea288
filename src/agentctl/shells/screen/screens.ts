import { extname, join } from "node:path";
import { Worker } from "node:worker_threads";
import type { ShellId } from "../../../contract/base/id.ts";
import { threadEnvironment } from "../../../kit/processes/thread-environment.ts";
import { WorkerCalls } from "../../../kit/worker-rpc/worker-calls.ts";
import type { ScreenCalls, ScreenNote } from "./screen-messages.ts";

/** Beside this file, in a clone, in the package and in agentctl's bundle alike. */
const PROGRAM = join(
  import.meta.dirname,
  `screen-worker${extname(import.meta.filename)}`,
);

/** So much memory is enough for a hundred screens of a usual size. */
const MAX_MEGABYTES = 512;

type Thread = WorkerCalls<ScreenCalls, string, ScreenNote>;

/** The thread with the screens of all shells. It is started when the first is needed, and anew after it broke. */
export class Screens {
  readonly #listeners = new Map<ShellId, (note: ScreenNote) => void>();
  #thread: Thread | null = null;
  /** How many threads there were: a screen that was opened in an earlier one is gone. */
  #generation = 0;

  get generation(): number {
    return this.#generation;
  }

  /** Whether a screen that was opened then is still there. */
  has(generation: number): boolean {
    return this.#thread !== null && generation === this.#generation;
  }

  listen(shell: ShellId, listener: (note: ScreenNote) => void): void {
    this.#listeners.set(shell, listener);
  }

  /** Rejects when the thread breaks. */
  call<K extends keyof ScreenCalls>(
    kind: K,
    query: ScreenCalls[K]["query"],
  ): Promise<ScreenCalls[K]["answer"]> {
    return (this.#thread ??= this.#start()).call(kind, query);
  }

  async forget(shell: ShellId): Promise<void> {
    this.#listeners.delete(shell);
    await this.#thread?.call("close", { shell }).catch(() => null);
    // A thread costs megabytes also while it has nothing to do.
    if (this.#listeners.size === 0) await this.close();
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    await thread?.terminate(new Error("the screens are closed"));
  }

  #start(): Thread {
    this.#generation += 1;
    const worker = new Worker(PROGRAM, {
      env: threadEnvironment(),
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES },
    });
    const thread: Thread = new WorkerCalls(worker, {
      errorOf: (message) => new Error(message),
      endedBy: (cause) =>
        new Error("the thread with the screens broke", { cause }),
      onNote: (note) => this.#listeners.get(note.shell)?.(note),
      onExit: () => {
        if (this.#thread === thread) this.#thread = null;
      },
      batches: false,
      keepsAlive: false,
    });
    return thread;
  }
}
