import { availableParallelism } from "node:os";
import { Gate } from "../../kit/time/gate.ts";
import { failureOf, VaultFailure } from "../format/failure.ts";
import type { SideCalls } from "./side-calls.ts";
import { Thread, type ThreadProgram } from "./thread.ts";
import type { Listener, VaultPaths } from "./thread-messages.ts";

/** With so many bytes to read or to write, side workers are worth starting: it takes them a tenth of a second to begin. */
export const SHARED_FROM = 48 * 1024 * 1024;
/** To open and close a file takes as long as this many bytes of it. */
export const PER_FILE = 16 * 1024;
/** One thread per processor, as long as they are few: each takes memory, and the disk is shared. */
export const THREADS = Math.min(4, availableParallelism());
/** One thing in hand, and one to go on with. */
const AT_ONCE = 2;

/**
 * Threads that share one large piece of work with the thread that was asked for it. They begin when the first part is
 * given away, and whoever gives it away closes them when all is done.
 */
export class SideWorkers {
  readonly #program: ThreadProgram;
  readonly #place: VaultPaths;
  readonly #listener: Listener;
  readonly #abort: SharedArrayBuffer;
  readonly #width: number;
  readonly #gate: Gate;
  readonly #threads: Thread<SideCalls>[] = [];
  /** Why nothing more is begun. */
  #over: VaultFailure | null = null;

  constructor(
    program: ThreadProgram,
    place: VaultPaths,
    listener: Listener,
    abort: SharedArrayBuffer,
    width: number,
  ) {
    this.#width = width;
    this.#gate = new Gate(this.atOnce);
    this.#program = program;
    this.#place = place;
    this.#listener = listener;
    this.#abort = abort;
  }

  /** Whether there is anything to be gained. */
  get areUseful(): boolean {
    return THREADS > 1 && this.#width > 0;
  }

  get atOnce(): number {
    return this.#width * AT_ONCE;
  }

  /** What they do first takes a while. */
  start(): void {
    while (this.#threads.length < this.#width)
      this.#threads.push(
        new Thread(this.#program, this.#place, this.#listener),
      );
  }

  /** Asks whoever has least to do. When one fails, nobody begins anything more. */
  async ask<K extends keyof SideCalls>(
    call: K,
    asked: SideCalls[K]["query"],
  ): Promise<SideCalls[K]["answer"]> {
    const leave = await this.#gate.enter();
    try {
      if (this.#over !== null) throw this.#over;
      this.start();
      const [thread] = this.#threads.toSorted((a, b) => a.load - b.load);
      if (thread === undefined) throw new Error("there are no side workers");
      return await thread.call(call, asked, this.#abort);
    } catch (error) {
      this.#over ??= failureOf(error);
      throw error;
    } finally {
      leave();
    }
  }

  /** Has all parts done, and answers in their order. Nobody does anything any more when it settles. */
  async share<K extends keyof SideCalls>(
    call: K,
    parts: readonly SideCalls[K]["query"][],
  ): Promise<SideCalls[K]["answer"][]> {
    const answers = parts.map((part) => this.ask(call, part));
    await Promise.allSettled(answers);
    if (this.#over !== null) throw this.#over;
    return Promise.all(answers);
  }

  /** Asks each of them, after everything else, and waits for all. */
  async askEach<K extends keyof SideCalls>(
    call: K,
    asked: SideCalls[K]["query"],
  ): Promise<SideCalls[K]["answer"][]> {
    this.#over ??= new VaultFailure("closed", "it was the last thing to do");
    const answers = this.#threads.map((thread) =>
      thread.call(call, asked, this.#abort),
    );
    await Promise.allSettled(answers);
    return Promise.all(answers);
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}
