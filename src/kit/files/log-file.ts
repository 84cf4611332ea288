import { type FileHandle, open, rename, stat, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { hasErrno } from "../errno.ts";
import { type Found, identityAt, isSameFile } from "./file-identity.ts";

/** Lines that may wait for the disk; more are counted and dropped, so that a disk that hangs does not fill the memory. */
const MAX_WAITING = 4 * 1024 * 1024;

/** How much of a log is kept. */
export interface LogLimits {
  /** Of one file. */
  maxBytes: number;
  /** How many files there are, the one being written among them. */
  files: number;
}

export const DEFAULT_LOG_LIMITS: LogLimits = {
  maxBytes: 10 * 1024 * 1024,
  files: 5,
};

interface LogFileOptions extends Partial<LogLimits> {
  path: string;
  /** Words the line about those that were dropped. */
  tellLost: (lines: number, error: unknown) => string;
}

/**
 * A file of lines, written behind the caller's back: `log`, and the ones before it as `log.1`, `log.2` and so on. A log
 * must never stop the work: lines that cannot be written (a full disk, a read-only one) are dropped, and their number is
 * told by the first line that can be.
 *
 * The file stays open, so that it goes along with a directory that is moved. Another program may move it away, as
 * logrotate does: a new one is begun then, but only in the directory that was there at the start.
 */
export class LogFile {
  readonly #path: string;
  readonly #limits: LogLimits;
  readonly #tellLost: LogFileOptions["tellLost"];
  readonly #directory: Found;
  #file: FileHandle | null = null;
  #size = 0;
  #waiting: string[] = [];
  #waitingSize = 0;
  #lost = 0;
  #why: unknown = null;
  #writing: Promise<void> | null = null;

  constructor({ path, tellLost, ...limits }: LogFileOptions) {
    this.#path = path;
    this.#tellLost = tellLost;
    this.#limits = { ...DEFAULT_LOG_LIMITS, ...limits };
    this.#directory = identityAt(dirname(path));
  }

  write(line: string): void {
    if (this.#waitingSize > MAX_WAITING) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(line);
    this.#waitingSize += line.length;
    this.#writing ??= this.#write().finally(() => (this.#writing = null));
  }

  /** Resolves when every line is written or dropped. */
  async flush(): Promise<void> {
    while (this.#writing !== null) await this.#writing;
  }

  async close(): Promise<void> {
    await this.flush();
    await this.#file?.close();
    this.#file = null;
  }

  async #write(): Promise<void> {
    // What is said in one turn of the event loop is written together.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const lines = this.#waiting;
      this.#waiting = [];
      this.#waitingSize = 0;
      const lost = this.#lost;
      if (lost > 0) lines.unshift(this.#tellLost(lost, this.#why));
      const written = await this.#append(lines);
      if (written > 0) this.#lost -= lost;
      // The line about lost ones is no line of the caller's.
      const owned = lines.length - (lost > 0 ? 1 : 0);
      this.#lost += Math.min(owned, lines.length - written);
    }
  }

  /** How many of the lines were written. */
  async #append(lines: readonly string[]): Promise<number> {
    let written = 0;
    try {
      while (written < lines.length) {
        const file = await this.#current();
        const chunk = this.#fitting(lines.slice(written));
        if (chunk.length === 0) await this.#rotate(file);
        else {
          await this.#add(file, Buffer.from(chunk.join("")));
          written += chunk.length;
        }
      }
    } catch (error) {
      this.#why = error;
    }
    return written;
  }

  /** As many of the first lines as there is room for. A line that is larger than a whole file gets a file of its own. */
  #fitting(lines: readonly string[]): readonly string[] {
    let size = this.#size;
    const over = lines.findIndex(
      (line) => (size += Buffer.byteLength(line)) > this.#limits.maxBytes,
    );
    if (over === -1) return lines;
    return lines.slice(0, this.#size === 0 ? Math.max(1, over) : over);
  }

  async #add(file: FileHandle, bytes: Buffer): Promise<void> {
    try {
      await file.appendFile(bytes);
      this.#size += bytes.length;
    } catch (error) {
      // Half a line must not stand before the next one.
      await file.truncate(this.#size).catch(() => undefined);
      throw error;
    }
  }

  async #current(): Promise<FileHandle> {
    if (this.#file !== null && (await this.#wasTakenAway(this.#file))) {
      await this.#file.close();
      this.#file = null;
    }
    this.#file ??= await this.#open();
    return this.#file;
  }

  async #open(): Promise<FileHandle> {
    this.#refuseElsewhere();
    const file = await open(this.#path, "a", 0o600);
    this.#size = (await file.stat()).size;
    return file;
  }

  async #wasTakenAway(file: FileHandle): Promise<boolean> {
    const ours = await file.stat({ bigint: true });
    this.#size = Number(ours.size);
    if (!this.#isInPlace()) return false;
    const there = await stat(this.#path, { bigint: true }).catch(
      (error: unknown) => (hasErrno(error, "ENOENT") ? null : ours),
    );
    return there?.ino !== ours.ino || there.dev !== ours.dev;
  }

  /** From the oldest on: a crash in between leaves every line in some file. */
  async #rotate(file: FileHandle): Promise<void> {
    this.#refuseElsewhere();
    const { files } = this.#limits;
    for (let n = files - 1; n > 0; n--)
      await rename(this.#named(n - 1), this.#named(n)).catch(unlessMissing);
    if (files === 1) await unlink(this.#path);
    // Left by one that kept more.
    for (let n = files; await removed(this.#named(n)); n++);
    await file.close();
    this.#file = null;
  }

  #named(n: number): string {
    return n === 0 ? this.#path : `${this.#path}.${n}`;
  }

  #isInPlace(): boolean {
    return isSameFile(this.#directory, identityAt(dirname(this.#path)));
  }

  #refuseElsewhere(): void {
    if (!this.#isInPlace())
      throw new Error(`${dirname(this.#path)} was moved or replaced`);
  }
}

const unlessMissing = (error: unknown): void => {
  if (!hasErrno(error, "ENOENT")) throw error;
};

const removed = (path: string): Promise<boolean> =>
  unlink(path).then(
    () => true,
    () => false,
  );
