import {
  closeSync,
  type FSWatcher,
  fstatSync,
  openSync,
  readSync,
  watch,
} from "node:fs";
import { type Line, LineSplitter } from "../../../kit/data/ndjson.ts";
import { MAX_READ, ReadSize } from "../../base/read-size.ts";

/** To read faster than the lines are taken would only keep the processor from those who take them. */
const ENOUGH_MS = 10;
const SWEEP_MS = 1000;
/** Shared: a read and the splitting of what it read happen in one go. */
const buffer = Buffer.allocUnsafe(MAX_READ);

/** Who takes what is read. */
export interface Reader {
  lines(lines: Line[]): void;
  /** Called once, when the file is shorter than what was read of it: it is not the same file any more. */
  shrunk(): void;
  /** Whether there are lines enough for the moment. More come all the same, but not as fast as they can. */
  hasEnough(): boolean;
}

/**
 * Follows an append-only file. Notices of the file system make it quick; a slow look at all files makes it sure, because
 * such notices can be lost. Reads are synchronous: the bytes were written a moment ago and are in memory, and a trip
 * through the thread pool costs ten times the read.
 */
export class Tail {
  readonly #fd: number;
  readonly #splitter: LineSplitter;
  readonly #size = new ReadSize();
  readonly #reader: Reader;
  readonly #watcher: FSWatcher | null;
  readonly #sweep: TailSweep;
  #scheduled = false;
  #pause: NodeJS.Timeout | undefined;
  #closed = false;
  #shrunk = false;

  constructor(path: string, from: number, reader: Reader, sweep: TailSweep) {
    this.#fd = openSync(path, "r");
    this.#splitter = new LineSplitter(from);
    this.#reader = reader;
    this.#sweep = sweep;
    // There may be many notices at once: together they are worth one look.
    this.#watcher = watchFile(path, () => this.#schedule());
    this.#sweep.add(this);
    this.#schedule();
  }

  /** Reads what there is now. */
  async catchUp(): Promise<void> {
    while (this.#readOnce()) await new Promise(setImmediate);
  }

  /** Reads what there is to the last byte. The last line may have no newline: its writer is gone. */
  async finish(): Promise<void> {
    await this.catchUp();
    const rest = this.#splitter.rest();
    this.close();
    if (rest) this.#reader.lines([rest]);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#sweep.delete(this);
    this.#watcher?.close();
    closeSync(this.#fd);
  }

  look(): void {
    if (!this.#closed && fstatSync(this.#fd).size !== this.#splitter.offset)
      this.#schedule();
  }

  /** There is room for more lines again. */
  goOn(): void {
    if (this.#pause === undefined) return;
    clearTimeout(this.#pause);
    this.#pause = undefined;
    setImmediate(() => this.#read());
  }

  /** One chunk, then others have their turn. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    if (this.#reader.hasEnough())
      this.#pause = setTimeout(() => this.#read(), ENOUGH_MS);
    else setImmediate(() => this.#read());
  }

  #read(): void {
    this.#scheduled = false;
    this.#pause = undefined;
    if (this.#readOnce()) this.#schedule();
  }

  #readOnce(): boolean {
    if (this.#closed || this.#shrunk) return false;
    const { offset } = this.#splitter;
    const { bytes } = this.#size;
    const length = readSync(this.#fd, buffer, 0, bytes, offset);
    if (length === 0) {
      if (fstatSync(this.#fd).size < offset) this.#lose();
      return false;
    }
    const lines = this.#splitter.push(buffer.subarray(0, length));
    this.#size.learn(length, lines.length);
    if (lines.length > 0) this.#reader.lines(lines);
    return length === bytes;
  }

  #lose(): void {
    this.#shrunk = true;
    this.#reader.shrunk();
  }
}

/** Without notices (their number is limited) the sweep alone has to do. */
const watchFile = (path: string, onChange: () => void): FSWatcher | null => {
  try {
    const watcher = watch(path, { persistent: false }, onChange);
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return null;
  }
};

/** One timer for all files. */
export class TailSweep {
  readonly #tails = new Set<Tail>();
  #timer: NodeJS.Timeout | undefined;

  add(tail: Tail): void {
    this.#tails.add(tail);
    this.#timer ??= setInterval(() => {
      for (const each of this.#tails) each.look();
    }, SWEEP_MS).unref();
  }

  delete(tail: Tail): void {
    this.#tails.delete(tail);
    if (this.#tails.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
