import { appendFile } from "node:fs/promises";

/** Lines that may wait for the disk; more are counted and dropped, so that a disk that hangs does not fill the memory. */
const MOST_WAITING = 4 * 1024 * 1024;

/**
 * A file of lines, written behind the caller's back. A log must never stop the work: lines that cannot be written (a
 * full disk, a read-only one) are dropped, and their number is told by the first line that can be.
 */
export class LogFile {
  readonly #path: string;
  readonly #tellLost: (lines: number, error: unknown) => string;
  #waiting: string[] = [];
  #size = 0;
  #lost = 0;
  #why: unknown = null;
  #writing: Promise<void> | null = null;

  /** `tellLost` words the line about those that were dropped. */
  constructor(
    path: string,
    tellLost: (lines: number, error: unknown) => string,
  ) {
    this.#path = path;
    this.#tellLost = tellLost;
  }

  write(line: string): void {
    if (this.#size > MOST_WAITING) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(line);
    this.#size += line.length;
    this.#writing ??= this.#write().finally(() => (this.#writing = null));
  }

  /** Resolves when every line is written or dropped. */
  async flush(): Promise<void> {
    while (this.#writing !== null) await this.#writing;
  }

  async #write(): Promise<void> {
    // What is said in one turn of the event loop is written together.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const lines = this.#waiting;
      this.#waiting = [];
      this.#size = 0;
      const lost = this.#lost;
      const before = lost > 0 ? [this.#tellLost(lost, this.#why)] : [];
      try {
        await appendFile(this.#path, [...before, ...lines].join(""), {
          mode: 0o600,
        });
        this.#lost -= lost;
      } catch (error) {
        this.#why = error;
        this.#lost += lines.length;
      }
    }
  }
}
