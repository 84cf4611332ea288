import { constants } from "node:fs";
import { createPlain, Damaged, openPlain } from "./plain-file.ts";

/** A file of lines that is only ever added to, and whose length is known: another length means another writer. */
export class GrowingFile {
  readonly #path: string;
  #length: number;

  private constructor(path: string, length: number) {
    this.#path = path;
    this.#length = length;
  }

  /** Goes on behind the first `length` bytes. What stands behind them was written by one who was killed: it comes again. */
  static async open(path: string, length: number): Promise<GrowingFile> {
    await using file =
      length === 0
        ? await createPlain(path)
        : await openPlain(path, constants.O_RDWR);
    const { size } = await file.stat();
    if (size < length) throw new Damaged(path);
    if (size > length) await file.truncate(length);
    return new GrowingFile(path, length);
  }

  get length(): number {
    return this.#length;
  }

  async append(text: string): Promise<void> {
    if (text === "") return;
    await using file = await openPlain(
      this.#path,
      constants.O_WRONLY | constants.O_APPEND,
    );
    if ((await file.stat()).size !== this.#length)
      throw new Damaged(this.#path);
    const bytes = Buffer.from(text);
    await file.appendFile(bytes);
    this.#length += bytes.length;
  }
}
