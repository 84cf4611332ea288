/** A line of a file of lines, without its newline. `[from, to)` are its bytes in the file, newline included. */
export interface Line {
  bytes: Buffer;
  from: number;
  to: number;
  /** The line was longer than the limit: `bytes` is only its beginning, and `end` its end. */
  cut: boolean;
  end?: Buffer;
}

/** The longest line that is held, unless it is said otherwise. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

const KEPT_BEGINNING = 64 * 1024;
const KEPT_END = 4 * 1024;

/**
 * Splits chunks of bytes into lines. Works on bytes, so a character divided between two chunks stays whole, and looks
 * at every byte once, so that a line of 100 MB costs no more than a hundred lines of 1 MB.
 */
export class LineSplitter {
  /** Where the next chunk begins in the file. */
  offset: number;
  #lineFrom: number;
  #parts: Buffer[] = [];
  #held = 0;
  /** The last bytes of a line that is longer than the limit. */
  #end = Buffer.alloc(0);
  readonly #limit: number;

  constructor(offset: number, limit = MAX_LINE_BYTES) {
    this.offset = offset;
    this.#lineFrom = offset;
    this.#limit = limit;
  }

  /** The lines that this chunk completes. The chunk may be reused by the caller afterwards. */
  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(0x0a, start);
      if (end === -1) break;
      this.#hold(chunk.subarray(start, end));
      lines.push(this.#take(this.offset + end + 1));
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
    this.offset += chunk.length;
    return lines;
  }

  /** What follows the last newline, when there is something: the end of a file whose writer is gone. */
  rest(): Line | null {
    return this.offset === this.#lineFrom ? null : this.#take(this.offset);
  }

  #hold(part: Buffer): void {
    if (part.length === 0) return;
    const wasWhole = this.#held <= this.#limit;
    this.#held += part.length;
    if (this.#held <= this.#limit) {
      this.#parts.push(Buffer.from(part));
      return;
    }
    if (wasWhole) this.#parts = [beginning([...this.#parts, part])];
    this.#end = endOf(this.#end, part);
  }

  #take(to: number): Line {
    const cut = this.#held > this.#limit;
    const line: Line = {
      bytes: Buffer.concat(this.#parts),
      from: this.#lineFrom,
      to,
      cut,
      ...(cut ? { end: this.#end } : {}),
    };
    this.#parts = [];
    this.#end = Buffer.alloc(0);
    this.#held = 0;
    this.#lineFrom = to;
    return line;
  }
}

const beginning = (parts: readonly Buffer[]): Buffer =>
  Buffer.from(Buffer.concat(parts).subarray(0, KEPT_BEGINNING));

const endOf = (end: Buffer, part: Buffer): Buffer<ArrayBuffer> =>
  Buffer.from(
    Buffer.concat([end, part.subarray(-KEPT_END)]).subarray(-KEPT_END),
  );
