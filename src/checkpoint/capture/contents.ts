import type { Stats } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { Arena, FileRows } from "../trees/arena.ts";
import type { Trees } from "./build-trees.ts";
import type { ByteString } from "../format/byte-string.ts";
import { PER_FILE, SHARED_FROM } from "../threads/side-workers.ts";
import { readFiles, type FileBatch } from "../read/read-files.ts";
import { noteRepeat, type ScanClock } from "../read/remember.ts";
import type { Readers } from "../threads/readers.ts";
import type { FoundFiles } from "./scan.ts";
import type { Sink } from "../packs/sink.ts";
import { UnseenChanges } from "../read/unseen-changes.ts";

/** Bytes that are read in one go. */
const BATCH = 4 * 1024 * 1024;

export interface ContentsOptions {
  root: ByteString;
  arena: Arena;
  sink: Sink;
  /** Hears in which directories something is not what it was. */
  trees: Trees;
  /** The scan keeps it up to date. */
  clock: ScanClock;
  isAborted: () => boolean;
  /** Who helps when it is much; null when nobody does. */
  readers: Readers | null;
}

/** Reads the files that a scan finds to be new or changed. If they are many, others begin while the scan goes on. */
export class Contents implements FoundFiles {
  readonly #options: ContentsOptions;
  readonly #doubts: UnseenChanges;
  #open: Found;
  /** Batches that nobody has begun. */
  readonly #waiting: Found[] = [];
  readonly #elsewhere: Promise<void>[] = [];
  /** How many of those are not done. */
  #inHand = 0;
  /** One of them has: nobody goes on. */
  #hasFailed = false;
  #weight = 0;
  #isPauseDue = false;

  constructor(options: ContentsOptions) {
    this.#options = options;
    this.#doubts = new UnseenChanges(options.root, options.clock.startedAt);
    this.#open = this.#begin();
  }

  get isEmpty(): boolean {
    return this.#weight + this.#open.weight === 0;
  }

  add(row: number, path: ByteString, now: Stats): void {
    const open = this.#open;
    this.#options.trees.expect(this.#options.arena.parent[row] ?? 0);
    open.rows.push(row);
    open.batch.paths.push(path);
    open.batch.sizes.push(now.size);
    open.batch.mtimes.push(now.mtimeMs);
    open.batch.ctimes.push(now.ctimeMs);
    open.weight += now.size + PER_FILE;
    if (open.weight >= BATCH) this.#close();
  }

  /** Lets others who read have their say, and have more to do. */
  async pause(): Promise<void> {
    this.#isPauseDue = false;
    await setImmediate();
  }

  get isPauseDue(): boolean {
    return this.#isPauseDue;
  }

  /** Reads what nobody has begun, and resolves when the arena knows what is in the files. */
  async finish(): Promise<void> {
    this.#close();
    const { sink, trees, isAborted } = this.#options;
    for (;;) {
      const found = this.#waiting.shift();
      if (found === undefined || this.#hasFailed) break;
      const batch = this.#stamped(found);
      const read = await readFiles(batch, this.#doubts, sink, isAborted);
      this.#learn(found, read);
      await trees.make();
      await this.pause();
    }
    for (const work of this.#elsewhere) {
      await work;
      await trees.make();
    }
  }

  #begin(): Found {
    const { root } = this.#options;
    const seen = { paths: [], sizes: [], mtimes: [], ctimes: [] };
    return { rows: [], batch: { root, ...seen }, weight: 0 };
  }

  /** Right before they are read: what is seen later says nothing about that moment. */
  #stamped({ batch }: Found): FileBatch {
    const { startedAt, newest } = this.#options.clock;
    return { ...batch, startedAt, newest };
  }

  #close(): void {
    if (this.#open.weight === 0) return;
    this.#waiting.push(this.#open);
    this.#weight += this.#open.weight;
    this.#open = this.#begin();
    const { readers } = this.#options;
    if (readers?.areUseful !== true || this.#weight < SHARED_FROM) return;
    this.#giveAway(readers);
    this.#isPauseDue = true;
  }

  #giveAway(readers: Readers): void {
    while (this.#inHand < readers.atOnce) {
      const found = this.#waiting.shift();
      if (found === undefined) return;
      const work = this.#readElsewhere(found, readers);
      // Waited for at the end, when others may have failed before.
      work.catch(() => {});
      this.#elsewhere.push(work);
    }
  }

  async #readElsewhere(found: Found, readers: Readers): Promise<void> {
    this.#inHand += 1;
    try {
      this.#learn(found, await readers.read(this.#stamped(found)));
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    }
    this.#inHand -= 1;
    this.#giveAway(readers);
  }

  #learn({ rows }: Found, read: FileRows): void {
    const { arena, trees, clock } = this.#options;
    for (let at = 0; at < read.count; at++) {
      const row = rows[at] ?? 0;
      const before = arena.isKnown(row) ? fingerprint(arena, row) : null;
      const [ctime, ino] = [arena.ctime[row], arena.ino[row]];
      arena.adopt(row, read, at);
      const isChanged = before === null || fingerprint(arena, row) !== before;
      if (!isChanged && arena.ctime[row] === ctime && arena.ino[row] === ino)
        noteRepeat(arena, row, clock);
      trees.settle(arena.parent[row] ?? 0, isChanged);
    }
  }
}

/** A batch, and the rows of its files in the arena. */
interface Found {
  rows: number[];
  batch: Omit<FileBatch, "startedAt" | "newest">;
  weight: number;
}

/** What a tree says of a file, so that one that was only looked at again changes nothing. */
const fingerprint = (arena: Arena, row: number): string =>
  [
    arena.mode[row],
    arena.seconds[row],
    arena.nanoseconds[row],
    arena.size[row],
    arena.form[row],
    arena.isKnown(row),
    arena.reason(row),
    arena.hash(row),
    arena.xattr[row],
  ].join();
