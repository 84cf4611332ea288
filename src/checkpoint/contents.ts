import type { Stats } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { Arena, FileRows } from "./arena.ts";
import type { ByteString } from "./byte-string.ts";
import { PER_FILE, SHARED_FROM } from "./mates.ts";
import { readFiles, type FileBatch } from "./read-files.ts";
import type { Readers } from "./readers.ts";
import type { FoundFiles } from "./scan.ts";
import type { Sink } from "./sink.ts";

/** Bytes that are read in one go. */
const BATCH = 8 * 1024 * 1024;

export interface ContentsOptions {
  root: ByteString;
  arena: Arena;
  sink: Sink;
  startedAt: number;
  isAborted: () => boolean;
  /** Who reads when it is much; null when nobody does. */
  readers: Readers | null;
}

/** Reads the files that a scan finds to be new or changed: here, or beside the scan if they are many. */
export class Contents implements FoundFiles {
  /** Directories in which something is not what it was. */
  readonly directories = new Set<number>();
  readonly #options: ContentsOptions;
  #open: Found;
  /** Batches that nobody has begun. */
  #waiting: Found[] = [];
  readonly #reading: Promise<void>[] = [];
  #weight = 0;
  #isPauseDue = false;

  constructor(options: ContentsOptions) {
    this.#options = options;
    this.#open = this.#begin();
  }

  get isEmpty(): boolean {
    return this.#weight + this.#open.weight === 0;
  }

  add(row: number, path: ByteString, now: Stats): void {
    const open = this.#open;
    open.rows.push(row);
    open.batch.paths.push(path);
    open.batch.sizes.push(now.size);
    open.batch.mtimes.push(now.mtimeMs);
    open.batch.ctimes.push(now.ctimeMs);
    open.weight += now.size + PER_FILE;
    if (open.weight >= BATCH) this.#close();
  }

  /** Lets those who read have their say while a scan goes on. */
  async pause(): Promise<void> {
    this.#isPauseDue = false;
    await setImmediate();
  }

  get isPauseDue(): boolean {
    return this.#isPauseDue;
  }

  /** Resolves when the arena knows what is in the files. */
  async finish(): Promise<void> {
    this.#close();
    const { sink, isAborted } = this.#options;
    for (const found of this.#waiting)
      this.#learn(found, await readFiles(found.batch, sink, isAborted));
    await Promise.all(this.#reading);
  }

  #begin(): Found {
    const { root, startedAt } = this.#options;
    const seen = { paths: [], sizes: [], mtimes: [], ctimes: [] };
    return { rows: [], batch: { root, startedAt, ...seen }, weight: 0 };
  }

  #close(): void {
    if (this.#open.weight === 0) return;
    this.#waiting.push(this.#open);
    this.#weight += this.#open.weight;
    this.#open = this.#begin();
    const { readers } = this.#options;
    if (readers?.areUseful !== true || this.#weight < SHARED_FROM) return;
    for (const found of this.#waiting)
      this.#reading.push(this.#readElsewhere(found, readers));
    this.#waiting = [];
    this.#isPauseDue = true;
  }

  #readElsewhere(found: Found, readers: Readers): Promise<void> {
    const work = readers
      .read(found.batch)
      .then((read) => this.#learn(found, read));
    // Waited for at the end, when others may have failed before.
    work.catch(() => {});
    return work;
  }

  #learn({ rows }: Found, read: FileRows): void {
    const { arena } = this.#options;
    for (let at = 0; at < read.count; at++) {
      const row = rows[at] ?? 0;
      const before = arena.isKnown(row) ? fingerprint(arena, row) : null;
      arena.adopt(row, read, at);
      if (before === null || fingerprint(arena, row) !== before)
        this.directories.add(arena.parent[row] ?? 0);
    }
  }
}

/** A batch, and the rows of its files in the arena. */
interface Found {
  rows: number[];
  batch: FileBatch;
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
  ].join();
