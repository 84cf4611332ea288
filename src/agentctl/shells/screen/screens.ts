import { extname, join } from "node:path";
import type { ShellId } from "../../../contract/base/id.ts";
import type { ScreenCalls, ScreenNote } from "./screen-messages.ts";
import { ScreenThread, type ScreenThreadParts } from "./screen-thread.ts";

/** Beside this file, in a clone, in the package and in agentctl's bundle alike. */
const PROGRAM = join(
  import.meta.dirname,
  `screen-worker${extname(import.meta.filename)}`,
);

const SILENT_MS = 30_000;

type Settings = Pick<ScreenThreadParts, "program" | "silentMs">;

/** The thread with the screens of all shells. It is started when the first is needed, and anew after it broke. */
export class Screens {
  readonly #settings: Settings;
  readonly #listeners = new Map<ShellId, (note: ScreenNote) => void>();
  #thread: ScreenThread | null = null;
  /** How many threads there were: a screen that was opened in an earlier one is gone. */
  #generation = 0;

  #brokenBy: ShellId | null = null;

  constructor(settings: Partial<Settings> = {}) {
    this.#settings = { program: PROGRAM, silentMs: SILENT_MS, ...settings };
  }

  get generation(): number {
    return this.#generation;
  }

  /** Whether a screen that was opened then is still there. */
  has(generation: number): boolean {
    return this.#thread !== null && generation === this.#generation;
  }

  /** Whose output or screen the last thread had before it when it broke. */
  get brokenBy(): ShellId | null {
    return this.#brokenBy;
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

  #start(): ScreenThread {
    this.#generation += 1;
    return new ScreenThread({
      ...this.#settings,
      onNote: (note) => this.#listeners.get(note.shell)?.(note),
      onOver: (thread) => {
        if (this.#thread !== thread) return;
        this.#thread = null;
        this.#brokenBy = thread.busyWith;
      },
    });
  }
}
