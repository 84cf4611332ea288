/**
 * What a shell has shown, in segments on the disk. Each begins with a snapshot of the screen and goes on with the bytes
 * behind it; the newest two are kept. A segment is a file named after its first byte:
 *
 *     JSON {offset, cols, rows, snapshot} · newline · the snapshot · bytes of the shell …
 *     beside it, in `<name>.sizes`: `offset cols rows` for each time that the terminal was resized
 */
import {
  appendFileSync,
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { hasErrno } from "../../kit/errno.ts";
import type { Size, Snapshot } from "./screen/screen-messages.ts";

/** A segment ends about here. */
export const SEGMENT_BYTES = 1024 * 1024;
const KEPT = 2;
/** Whoever drags a window about makes many. */
const MAX_RESIZES = 1000;
const SUFFIX = ".segment";
const NAME = /^\d{16}\.segment$/;

const Head = z.object({
  offset: z.number().int(),
  cols: z.number().int(),
  rows: z.number().int(),
  snapshot: z.number().int(),
});

/** A terminal got this size at this place of its output. */
export interface Resize {
  offset: number;
  size: Size;
}

interface Segment {
  path: string;
  file: number;
  /** Where the bytes of the shell begin in the file. */
  at: number;
  /** Their offsets. */
  from: number;
  to: number;
  size: Size;
  snapshotBytes: number;
}

export class Scrollback {
  readonly #directory: string;
  /** Oldest first; there is always one. */
  #segments: [Segment, ...Segment[]];
  /** Since the newest segment was begun. */
  #resizes = 0;
  /** All that are kept, in their order. */
  #sizes: Resize[] = [];
  #size: Size;

  private constructor(
    directory: string,
    segments: [Segment, ...Segment[]],
    size: Size,
  ) {
    this.#directory = directory;
    this.#segments = segments;
    this.#size = size;
  }

  static create(directory: string, size: Size): Scrollback {
    const path = pathOf(directory, 0);
    const first = { offset: 0, ...size, bytes: new Uint8Array(0) };
    writeFileSync(path, headed(first, []), { mode: 0o600 });
    return new Scrollback(directory, [openSegment(path)], size);
  }

  /** What an agentctl before us wrote; null where nothing can be read. */
  static open(directory: string): Scrollback | null {
    const names = readdirSync(directory).filter((name) => NAME.test(name));
    const segments: Segment[] = [];
    for (const name of names.toSorted())
      try {
        segments.push(openSegment(join(directory, name)));
      } catch {
        // It was cut short: others may do.
      }
    const [oldest, ...more] = segments;
    if (oldest === undefined) return null;
    const { size } = more.at(-1) ?? oldest;
    const opened = new Scrollback(directory, [oldest, ...more], size);
    opened.#sizes = sizesOfAll(opened.#segments);
    opened.#size = opened.#sizes.at(-1)?.size ?? size;
    return opened;
  }

  get size(): Size {
    return this.#size;
  }

  /** The offset of the next byte. */
  get end(): number {
    return this.#newest.to;
  }

  /** Where the terminal got the size that it has. */
  get resizedAt(): number {
    return this.#sizes.at(-1)?.offset ?? 0;
  }

  /** Whether the next bytes should begin another segment. */
  get isFull(): boolean {
    const { from, to } = this.#newest;
    return to - from >= SEGMENT_BYTES || this.#resizes >= MAX_RESIZES;
  }

  /** Whether somebody who has everything up to here can go on from here: it is kept, and the terminal has the same size. */
  canGoOnFrom(offset: number): boolean {
    return this.keeps(offset) && offset >= this.resizedAt;
  }

  keeps(offset: number): boolean {
    return offset >= this.#segments[0].from && offset <= this.end;
  }

  /** In the file when it returns: it survives our death from then on. */
  append(bytes: Uint8Array): void {
    const segment = this.#newest;
    for (let at = 0; at < bytes.length;) {
      const written = writeSync(
        segment.file,
        bytes,
        at,
        bytes.length - at,
        segment.at + segment.to - segment.from,
      );
      at += written;
      segment.to += written;
    }
  }

  resized(size: Size): void {
    const segment = this.#newest;
    appendFileSync(`${segment.path}.sizes`, lineOf(segment.to, size), {
      mode: 0o600,
    });
    this.#resizes += 1;
    this.#sizes.push({ offset: segment.to, size });
    this.#size = size;
  }

  /** Bytes from this offset on, as many as there are and no more than `most`. It must be kept. */
  read(offset: number, most: number): Uint8Array {
    const segment =
      this.#segments.findLast(({ from }) => from <= offset) ??
      this.#segments[0];
    const length = Math.min(most, segment.to - offset);
    const bytes = Buffer.alloc(Math.max(0, length));
    const at = segment.at + offset - segment.from;
    return bytes.subarray(0, readSync(segment.file, bytes, 0, length, at));
  }

  /** The newest snapshot on the disk. */
  snapshot(): Snapshot {
    const { file, at, snapshotBytes, from, size } = this.#newest;
    const bytes = Buffer.alloc(snapshotBytes);
    readSync(file, bytes, 0, snapshotBytes, at - snapshotBytes);
    return { offset: from, ...size, bytes: new Uint8Array(bytes) };
  }

  /** How the terminal was resized behind that snapshot. */
  resizes(): Resize[] {
    return sizesOf(this.#newest);
  }

  /** How it was resized for somebody who is at this offset and has seen it in this size. */
  resizesBehind(offset: number, size: Size): Resize[] {
    return behind(this.#sizes, offset, size);
  }

  /** Begins another segment with this snapshot. What came behind it goes along; the oldest segment is removed. */
  roll(snapshot: Snapshot): void {
    const { offset } = snapshot;
    const before = this.#newest;
    if (
      offset < before.from ||
      (offset === before.from && offset !== before.to)
    )
      return;
    const path = pathOf(this.#directory, offset);
    const rest = this.read(offset, this.end - offset);
    const sizes = behind(sizesOf(before), offset, snapshot);
    const lines = sizes.map((each) => lineOf(each.offset, each.size)).join("");
    writeFileSync(`${path}.sizes`, lines, { mode: 0o600 });
    writeFileSync(`${path}.new`, headed(snapshot, [rest]), { mode: 0o600 });
    renameSync(`${path}.new`, path);
    const [first, ...more] = this.#segments.filter((it) => it.path !== path);
    const made = openSegment(path);
    if (before.path === path) closeSync(before.file);
    this.#segments = first ? [first, ...more, made] : [made];
    this.#resizes = sizes.length;
    while (this.#segments.length > KEPT) this.#dropOldest();
  }

  close(): void {
    for (const { file } of this.#segments) closeSync(file);
  }

  get #newest(): Segment {
    return this.#segments.at(-1) ?? this.#segments[0];
  }

  #dropOldest(): void {
    const [oldest, next, ...more] = this.#segments;
    if (next === undefined) return;
    this.#segments = [next, ...more];
    closeSync(oldest.file);
    this.#sizes = this.#sizes.filter(({ offset }) => offset >= next.from);
    for (const path of [oldest.path, `${oldest.path}.sizes`])
      rmSync(path, { force: true });
  }
}

const pathOf = (directory: string, offset: number): string =>
  join(directory, `${String(offset).padStart(16, "0")}${SUFFIX}`);

const headed = (
  { offset, cols, rows, bytes }: Snapshot,
  rest: readonly Uint8Array[],
): Buffer => {
  const head = { offset, cols, rows, snapshot: bytes.length };
  return Buffer.concat([
    Buffer.from(`${JSON.stringify(head)}\n`),
    bytes,
    ...rest,
  ]);
};

const MAX_HEAD = 200;

const openSegment = (path: string): Segment => {
  const file = openSync(path, "r+");
  try {
    const start = Buffer.alloc(MAX_HEAD);
    const length = readSync(file, start, 0, MAX_HEAD, 0);
    const line = start.subarray(0, start.indexOf("\n"));
    const head = Head.parse(JSON.parse(line.toString("utf8")));
    const at = line.length + 1 + head.snapshot;
    const { size } = fstatSync(file);
    if (length === 0 || size < at) throw new Error(`${path} is cut short`);
    const { offset, cols, rows, snapshot } = head;
    return {
      path,
      file,
      at,
      from: offset,
      to: offset + size - at,
      size: { cols, rows },
      snapshotBytes: snapshot,
    };
  } catch (error) {
    closeSync(file);
    throw error;
  }
};

const lineOf = (offset: number, { cols, rows }: Size): string =>
  `${offset} ${cols} ${rows}\n`;

const sizesOf = ({ path }: Segment): Resize[] =>
  textIn(`${path}.sizes`)
    .split("\n")
    .flatMap((line) => {
      const [offset = NaN, cols = NaN, rows = NaN] = line
        .split(" ")
        .map((word) => Number.parseInt(word, 10));
      return [offset, cols, rows].some(Number.isNaN)
        ? []
        : [{ offset, size: { cols, rows } }];
    });

/** Each once: a segment repeats those that its predecessor had behind the snapshot. */
const sizesOfAll = (segments: readonly Segment[]): Resize[] =>
  segments.flatMap((segment, index) => {
    const next = segments[index + 1]?.from ?? Infinity;
    return sizesOf(segment).filter(
      ({ offset }) => offset <= next && (index === 0 || offset > segment.from),
    );
  });

/** Those at the very offset came before, up to the one that made this size. */
const behind = (
  sizes: readonly Resize[],
  offset: number,
  { cols, rows }: Size,
): Resize[] => {
  const from = sizes.filter((each) => each.offset >= offset);
  const seen = from.findLastIndex(
    ({ offset: at, size }) =>
      at === offset && size.cols === cols && size.rows === rows,
  );
  return from.slice(seen + 1);
};

const textIn = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return "";
    throw error;
  }
};
