import type { ByteString } from "../format/byte-string.ts";
import { unsavedReasons, type UnsavedReason } from "../format/entry.ts";
import { HASH_BYTES, type Hash } from "../format/hash.ts";
import { putHash } from "../format/wire.ts";
import type { Xattrs } from "../format/xattr/xattrs.ts";

/** The hash is right and what it names is in the vault. For a directory: its tree. */
const KNOWN = 1;
/** It changed so shortly before it was looked at that it may have changed again without a trace. */
const RACY = 2;
/** The names of a directory were read. */
const LISTED = 4;
/** Somebody had the file open for writing when it was read: it may change without newer times. */
const OPEN = 8;
const REASON_SHIFT = 4;

export const forms = ["empty", "whole", "pieces"] as const;

/** What is known of files, as it comes from a thread that read them. */
export interface FileRows {
  count: number;
  dev: Float64Array;
  ino: Float64Array;
  size: Float64Array;
  ctime: Float64Array;
  seconds: Float64Array;
  nanoseconds: Uint32Array;
  mode: Uint32Array;
  form: Uint8Array;
  state: Uint8Array;
  hashes: Uint8Array;
  /** Extended attributes: which of the sets, of which the first is empty. */
  xattr: Uint32Array;
  xattrSets: Xattrs[];
}

/**
 * What is known of every entry of a workspace: a row each, in flat arrays, because there are tens of thousands and
 * most of them are only compared. The entries of a directory are neighbours, sorted by name. When the names of a
 * directory change, its entries move to the end, and what they leave behind is dropped when the file is written.
 */
export class Arena implements FileRows {
  count = 0;
  names: ByteString[] = [];
  /** Of symbolic links. */
  targets = new Map<number, ByteString>();
  dev: Float64Array = new Float64Array(0);
  ino: Float64Array = new Float64Array(0);
  size: Float64Array = new Float64Array(0);
  ctime: Float64Array = new Float64Array(0);
  seconds: Float64Array = new Float64Array(0);
  nanoseconds: Uint32Array = new Uint32Array(0);
  /** With the type, as the system gives it. 0 when nothing is known. */
  mode: Uint32Array = new Uint32Array(0);
  parent: Uint32Array = new Uint32Array(0);
  /** Of a directory. */
  first: Uint32Array = new Uint32Array(0);
  children: Uint32Array = new Uint32Array(0);
  group: BigUint64Array = new BigUint64Array(0);
  form: Uint8Array = new Uint8Array(0);
  state: Uint8Array = new Uint8Array(0);
  hashes: Buffer = Buffer.alloc(0);
  xattr: Uint32Array = new Uint32Array(0);
  xattrSets: Xattrs[] = [""];
  #setNumbers: Map<Xattrs, number> | null = null;

  /** So many new rows, all blank; the number of the first. */
  add(count: number): number {
    const first = this.count;
    this.count += count;
    if (this.count > this.dev.length) this.#grow();
    return first;
  }

  /** Takes over another row with everything beneath it. */
  move(from: number, to: number): void {
    this.names[to] = this.names[from] ?? "";
    const target = this.targets.get(from);
    if (target !== undefined) this.targets.set(to, target);
    for (const field of this.#fields()) field[to] = field[from] ?? 0;
    this.group[to] = this.group[from] ?? 0n;
    const hash = from * HASH_BYTES;
    this.hashes.copyWithin(to * HASH_BYTES, hash, hash + HASH_BYTES);
    const first = this.first[to] ?? 0;
    for (let i = 0; i < (this.children[to] ?? 0); i++)
      this.parent[first + i] = to;
  }

  /** Gives a directory these names, in their order, and keeps what is known of those that stay. False when all did. */
  setChildren(row: number, names: readonly ByteString[]): boolean {
    let at = this.first[row] ?? 0;
    const end = at + (this.children[row] ?? 0);
    const old = this.names.slice(at, end);
    if (names.length === old.length && names.every((it, i) => old[i] === it))
      return false;
    const first = this.add(names.length);
    for (const [i, name] of names.entries()) {
      while (at < end && (this.names[at] ?? "") < name) at += 1;
      if (at < end && this.names[at] === name) this.move(at, first + i);
      this.names[first + i] = name;
      this.parent[first + i] = row;
    }
    this.first[row] = first;
    this.children[row] = names.length;
    return true;
  }

  /** Takes over what is known of a file. */
  adopt(row: number, from: FileRows, at: number): void {
    this.dev[row] = from.dev[at] ?? 0;
    this.ino[row] = from.ino[at] ?? 0;
    this.size[row] = from.size[at] ?? 0;
    this.ctime[row] = from.ctime[at] ?? 0;
    this.seconds[row] = from.seconds[at] ?? 0;
    this.nanoseconds[row] = from.nanoseconds[at] ?? 0;
    this.mode[row] = from.mode[at] ?? 0;
    this.form[row] = from.form[at] ?? 0;
    this.state[row] = from.state[at] ?? 0;
    this.children[row] = 0;
    this.setXattrs(row, from.xattrSets[from.xattr[at] ?? 0] ?? "");
    const hash = from.hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES);
    this.hashes.set(hash, row * HASH_BYTES);
  }

  hash(row: number): Hash {
    const start = row * HASH_BYTES;
    return this.hashes.toString("hex", start, start + HASH_BYTES);
  }

  setHash(row: number, hash: Hash): void {
    putHash(this.hashes, hash, row * HASH_BYTES);
    this.state[row] = (this.state[row] ?? 0) | KNOWN;
  }

  isKnown(row: number): boolean {
    return ((this.state[row] ?? 0) & KNOWN) !== 0;
  }

  forget(row: number): void {
    this.state[row] = (this.state[row] ?? 0) & ~KNOWN;
  }

  /** Empty when there are none. */
  xattrs(row: number): Xattrs {
    return this.xattrSets[this.xattr[row] ?? 0] ?? "";
  }

  /** True when it had others. */
  setXattrs(row: number, xattrs: Xattrs): boolean {
    const before = this.xattr[row];
    this.xattr[row] = xattrs === "" ? 0 : this.#numberOf(xattrs);
    return this.xattr[row] !== before;
  }

  /** Many files have the same ones, and most have none. */
  #numberOf(xattrs: Xattrs): number {
    this.#setNumbers ??= new Map(this.xattrSets.map((set, at) => [set, at]));
    let number = this.#setNumbers.get(xattrs);
    if (number === undefined) {
      number = this.xattrSets.push(xattrs) - 1;
      this.#setNumbers.set(xattrs, number);
    }
    return number;
  }

  /** Forgets sets that no row has any more. */
  dropUnusedSets(): void {
    if (this.xattrSets.length === 1) return;
    const before = this.xattrSets;
    this.xattrSets = [""];
    this.#setNumbers = null;
    for (let row = 0; row < this.count; row++)
      this.setXattrs(row, before[this.xattr[row] ?? 0] ?? "");
  }

  isRacy(row: number): boolean {
    return ((this.state[row] ?? 0) & RACY) !== 0;
  }

  setRacy(row: number, racy: boolean): void {
    const state = this.state[row] ?? 0;
    this.state[row] = racy ? state | RACY : state & ~RACY;
  }

  isOpen(row: number): boolean {
    return ((this.state[row] ?? 0) & OPEN) !== 0;
  }

  setOpen(row: number, open: boolean): void {
    const state = this.state[row] ?? 0;
    this.state[row] = open ? state | OPEN : state & ~OPEN;
  }

  isListed(row: number): boolean {
    return ((this.state[row] ?? 0) & LISTED) !== 0;
  }

  setListed(row: number, listed: boolean): void {
    const state = this.state[row] ?? 0;
    this.state[row] = listed ? state | LISTED : state & ~LISTED;
  }

  /** Why it is not in the checkpoint; null when it is. */
  reason(row: number): UnsavedReason | "gone" | null {
    const number = (this.state[row] ?? 0) >> REASON_SHIFT;
    return number === 0 ? null : (unsavedReasons[number - 1] ?? "gone");
  }

  setReason(row: number, reason: UnsavedReason | "gone" | null): void {
    const low = (this.state[row] ?? 0) & ((1 << REASON_SHIFT) - 1);
    this.state[row] = low | (numberOf(reason) << REASON_SHIFT);
  }

  /** Relative to the workspace. */
  path(row: number): ByteString {
    let path = this.names[row] ?? "";
    for (let up = this.parent[row] ?? 0; up !== 0; up = this.parent[up] ?? 0)
      path = `${this.names[up] ?? ""}/${path}`;
    return path;
  }

  /** All rows that can be reached, parents before children. */
  live(): number[] {
    const rows = this.count === 0 ? [] : [0];
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] ?? 0;
      const first = this.first[row] ?? 0;
      for (let i = 0; i < (this.children[row] ?? 0); i++) rows.push(first + i);
    }
    return rows;
  }

  #fields(): (Float64Array | Uint32Array | Uint8Array)[] {
    return [
      this.dev,
      this.ino,
      this.size,
      this.ctime,
      this.seconds,
      this.nanoseconds,
      this.mode,
      this.first,
      this.children,
      this.form,
      this.state,
      this.xattr,
    ];
  }

  #grow(): void {
    const rows = Math.max(1024, this.count * 2);
    this.dev = enlarge(this.dev, new Float64Array(rows));
    this.ino = enlarge(this.ino, new Float64Array(rows));
    this.size = enlarge(this.size, new Float64Array(rows));
    this.ctime = enlarge(this.ctime, new Float64Array(rows));
    this.seconds = enlarge(this.seconds, new Float64Array(rows));
    this.nanoseconds = enlarge(this.nanoseconds, new Uint32Array(rows));
    this.mode = enlarge(this.mode, new Uint32Array(rows));
    this.parent = enlarge(this.parent, new Uint32Array(rows));
    this.first = enlarge(this.first, new Uint32Array(rows));
    this.children = enlarge(this.children, new Uint32Array(rows));
    const group = new BigUint64Array(rows);
    group.set(this.group);
    this.group = group;
    this.xattr = enlarge(this.xattr, new Uint32Array(rows));
    this.form = enlarge(this.form, new Uint8Array(rows));
    this.state = enlarge(this.state, new Uint8Array(rows));
    const hashes = Buffer.alloc(rows * HASH_BYTES);
    hashes.set(this.hashes);
    this.hashes = hashes;
  }
}

const numberOf = (reason: UnsavedReason | "gone" | null): number => {
  if (reason === null) return 0;
  return reason === "gone"
    ? unsavedReasons.length + 1
    : unsavedReasons.indexOf(reason) + 1;
};

const enlarge = <T extends Float64Array | Uint32Array | Uint8Array>(
  from: T,
  to: T,
): T => {
  to.set(from);
  return to;
};
