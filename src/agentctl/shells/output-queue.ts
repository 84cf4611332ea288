/** What a shell has shown, on its way to the disk: in its order, and all of it, also where the disk takes nothing for a while. */
import type { Scrollback } from "./scrollback.ts";

/** How long a disk is left alone that refused something. */
const RETRY_MS = 1000;

export interface OutputQueueParts {
  scrollback: Pick<Scrollback, "append" | "end">;
  /** The disk takes nothing. Said once, until it takes something again. */
  onRefused: (error: unknown) => void;
  /** The disk has taken all that waited. */
  onTaken: () => void;
  later?: (callback: () => void, ms: number) => void;
}

export class OutputQueue {
  readonly #parts: OutputQueueParts;
  #waiting: Uint8Array[] = [];
  #isClosed = false;

  constructor(parts: OutputQueueParts) {
    this.#parts = parts;
  }

  /** Something waits for the disk: the shell must wait too. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  add(bytes: Uint8Array): void {
    const mustWait = this.isWaiting;
    this.#waiting.push(bytes);
    if (!mustWait) this.#write();
  }

  /** Tries once more. Returns how many bytes are lost. */
  close(): number {
    this.#isClosed = true;
    if (this.isWaiting) this.#write();
    return this.#waiting.reduce((sum, { length }) => sum + length, 0);
  }

  #write(isRetry = false): void {
    const { scrollback, onRefused, onTaken } = this.#parts;
    for (let [bytes] = this.#waiting; bytes; [bytes] = this.#waiting) {
      const before = scrollback.end;
      try {
        scrollback.append(bytes);
      } catch (error) {
        const written = scrollback.end - before;
        this.#waiting[0] = bytes.subarray(written);
        if (!isRetry || written > 0) onRefused(error);
        if (!this.#isClosed) this.#tryLater();
        return;
      }
      this.#waiting.shift();
    }
    if (isRetry) onTaken();
  }

  #tryLater(): void {
    const { later = callLater } = this.#parts;
    later(() => {
      if (!this.#isClosed) this.#write(true);
    }, RETRY_MS);
  }
}

const callLater = (callback: () => void, ms: number): void => {
  setTimeout(callback, ms).unref();
};
