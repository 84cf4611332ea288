import { constants } from "node:fs";
import { rename } from "node:fs/promises";
import { createPlain, Damaged, discard, openPlain } from "./plain-file.ts";

/**
 * A file of entries that is only ever added to, and whose length is known: another length means another writer. When it
 * is full it becomes `….1`, in the place of the one before, and a new one begins.
 */
export class GrowingFile {
  readonly #path: string;
  readonly #limit: number;
  #length: number;
  #waiting: string[] = [];
  #waitingBytes = 0;

  private constructor(path: string, limit: number, length: number) {
    this.#path = path;
    this.#limit = limit;
    this.#length = length;
  }

  /** Begins anew: nothing of what was there stays. */
  static async create(path: string, limit: number): Promise<GrowingFile> {
    await discard(`${path}.1`);
    return GrowingFile.open(path, limit, 0);
  }

  /** Goes on behind the first `length` bytes. What stands behind them was written by one who was killed: it comes again. */
  static async open(
    path: string,
    limit: number,
    length: number,
  ): Promise<GrowingFile> {
    await using file =
      length === 0
        ? await createPlain(path)
        : await openPlain(path, constants.O_RDWR);
    const { size } = await file.stat();
    if (size < length) throw new Damaged(path);
    if (size > length) await file.truncate(length);
    return new GrowingFile(path, limit, length);
  }

  /** Of what is in the file. */
  get length(): number {
    return this.#length;
  }

  /** Of what is in it after `flush` only. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** An entry that is larger than a whole file gets a file of its own. */
  hasRoomFor(entry: string): boolean {
    const size = this.#length + this.#waitingBytes;
    return size === 0 || size + Buffer.byteLength(entry) <= this.#limit;
  }

  add(entry: string): void {
    if (entry === "") return;
    this.#waiting.push(entry);
    this.#waitingBytes += Buffer.byteLength(entry);
  }

  async flush(): Promise<void> {
    if (this.#waitingBytes === 0) return;
    await using file = await openPlain(
      this.#path,
      constants.O_WRONLY | constants.O_APPEND,
    );
    if ((await file.stat()).size !== this.#length)
      throw new Damaged(this.#path);
    const bytes = Buffer.from(this.#waiting.join(""));
    this.#waiting = [];
    this.#waitingBytes = 0;
    await file.appendFile(bytes);
    this.#length += bytes.length;
  }

  async rotate(): Promise<void> {
    await rename(this.#path, `${this.#path}.1`);
    const file = await createPlain(this.#path);
    await file.close();
    this.#length = 0;
  }
}
