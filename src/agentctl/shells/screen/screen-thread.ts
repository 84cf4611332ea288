import { Worker } from "node:worker_threads";
import type { ShellId } from "../../../contract/base/id.ts";
import { threadEnvironment } from "../../../kit/processes/thread-environment.ts";
import { WorkerCalls } from "../../../kit/worker-rpc/worker-calls.ts";
import type { ScreenCalls, ScreenNote } from "./screen-messages.ts";

/** Silence is measured in so many steps. */
const STEPS = 30;
/** So much memory is enough for a hundred screens of a usual size. */
const MAX_MEGABYTES = 512;

export interface ScreenThreadParts {
  program: string;
  /** A thread that was asked and answers nothing for so long, while agentctl runs, is ended: what it computes may never end. */
  silentMs: number;
  onNote: (note: ScreenNote) => void;
  /** Nothing can be asked of it any more; those who wait are told after that. */
  onOver: (thread: ScreenThread) => void;
}

/** One thread with screens, until it breaks or is ended. */
export class ScreenThread {
  readonly #calls: WorkerCalls<ScreenCalls, string, ScreenNote>;
  readonly #silentMs: number;
  readonly #onOver: (thread: ScreenThread) => void;
  /** Whose calls are not answered, in the order in which they will be. */
  readonly #asked: ShellId[] = [];
  #clock: NodeJS.Timeout | null = null;
  #silentSteps = 0;

  constructor({ program, silentMs, onNote, onOver }: ScreenThreadParts) {
    this.#silentMs = silentMs;
    this.#onOver = onOver;
    const worker = new Worker(program, {
      env: threadEnvironment(),
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES },
    });
    this.#calls = new WorkerCalls(worker, {
      errorOf: (message) => new Error(message),
      endedBy: (cause) =>
        new Error("the thread with the screens broke", { cause }),
      onNote,
      onExit: () => {
        this.#stopTheClock();
        onOver(this);
      },
      batches: false,
      keepsAlive: false,
    });
  }

  /** Whose call it has before it, or had when it broke: it answers one after the other. Null when nobody has asked. */
  get busyWith(): ShellId | null {
    return this.#asked[0] ?? null;
  }

  /** Rejects when the thread breaks. */
  async call<K extends keyof ScreenCalls>(
    kind: K,
    query: ScreenCalls[K]["query"],
  ): Promise<ScreenCalls[K]["answer"]> {
    this.#asked.push(query.shell);
    this.#clock ??= setInterval(() => this.#step(), this.#silentMs / STEPS);
    try {
      return await this.#calls.call(kind, query);
    } finally {
      this.#asked.shift();
      this.#silentSteps = 0;
      if (this.#asked.length === 0) this.#stopTheClock();
    }
  }

  terminate(reason: Error): Promise<void> {
    return this.#calls.terminate(reason);
  }

  /** However long agentctl was stopped, or its machine asleep: that is one step, and the answers that came meanwhile are read first. */
  #step(): void {
    this.#silentSteps += 1;
    setImmediate(() => {
      if (this.#silentSteps >= STEPS && this.#clock !== null) this.#endSilent();
    });
  }

  #endSilent(): void {
    const words = `the thread with the screens was silent for ${this.#silentMs} ms`;
    this.#stopTheClock();
    this.#onOver(this);
    void this.terminate(new Error(words));
  }

  #stopTheClock(): void {
    if (this.#clock !== null) clearInterval(this.#clock);
    this.#clock = null;
  }
}
