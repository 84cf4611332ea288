import type { ShellId } from "../../contract/base/id.ts";
import type { Screens } from "./screen/screens.ts";
import type { ScreenNote, Size, Snapshot } from "./screen/screen-messages.ts";
import type { Scrollback } from "./scrollback.ts";

/** So much may wait to be shown; then no more is read. */
const MAX_BEHIND = 256 * 1024;
/** Output that breaks the thread again and again is left out of the screen. */
const MAX_FAILURES = 3;

export interface LiveScreenParts {
  shell: ShellId;
  screens: Screens;
  scrollback: Scrollback;
  onNote: (note: ScreenNote) => void;
  /** It is not behind any more. */
  onCaughtUp(): void;
  onFailure(error: unknown): void;
}

/** The screen of one shell. When its thread breaks, it is made again from what is on the disk. */
export class LiveScreen {
  readonly #parts: LiveScreenParts;
  #generation = -1;
  #failures = 0;
  #waiting = 0;

  constructor(parts: LiveScreenParts) {
    this.#parts = parts;
    parts.screens.listen(parts.shell, parts.onNote);
  }

  get isBehind(): boolean {
    return this.#waiting > MAX_BEHIND;
  }

  /** What was just added to the scrollback. */
  show(bytes: Uint8Array): void {
    const { shell } = this.#parts;
    // What it is opened with holds them.
    if (this.#open()) return;
    // Whole buffers are copied to threads, and this may be a part of a large one.
    const copy = new Uint8Array(bytes);
    this.#asked(
      bytes.length,
      this.#parts.screens.call("write", { shell, bytes: copy }),
    );
  }

  resize(size: Size): void {
    if (this.#open()) return;
    const { shell, screens } = this.#parts;
    this.#asked(0, screens.call("resize", { shell, size }));
  }

  async snapshot(last = false): Promise<Snapshot> {
    const { shell, screens } = this.#parts;
    for (;;)
      try {
        this.#open();
        return await screens.call("snapshot", { shell, last });
      } catch (error) {
        this.#failed(error);
        if (this.#failures > 2 * MAX_FAILURES) throw error;
      }
  }

  async close(): Promise<void> {
    await this.#parts.screens.forget(this.#parts.shell);
  }

  /** False when it is open already. */
  #open(): boolean {
    const { shell, screens, scrollback } = this.#parts;
    if (screens.has(this.#generation)) return false;
    const isBroken = this.#failures >= MAX_FAILURES;
    const steps = isBroken ? [] : scrollback.steps();
    const snapshot = isBroken
      ? {
          offset: scrollback.end,
          ...scrollback.size,
          bytes: new Uint8Array(0),
        }
      : scrollback.snapshot();
    this.#asked(0, screens.call("open", { shell, snapshot, steps }));
    this.#generation = screens.generation;
    return true;
  }

  #asked(bytes: number, answer: Promise<unknown>): void {
    this.#waiting += bytes;
    answer
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        const wasBehind = this.isBehind;
        this.#waiting -= bytes;
        if (wasBehind && !this.isBehind) this.#parts.onCaughtUp();
      });
  }

  #failed(error: unknown): void {
    // Everything that waited failed with the thread: it broke once.
    const isFirst = this.#generation !== -1;
    const isAnothers = this.#isBrokenByAnother();
    this.#generation = -1;
    if (!isFirst || isAnothers) return;
    this.#failures += 1;
    this.#parts.onFailure(error);
  }

  /** The thread is gone, and the last that it worked on was the screen of another shell. */
  #isBrokenByAnother(): boolean {
    const { shell, screens } = this.#parts;
    const { brokenBy } = screens;
    return (
      !screens.has(this.#generation) && brokenBy !== null && brokenBy !== shell
    );
  }
}
