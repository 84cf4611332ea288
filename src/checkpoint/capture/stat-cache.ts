/**
 * The arena of a workspace as a file: what was seen there last, so that what did not change need not be read again.
 * It belongs to this machine and is no part of a checkpoint. A damaged one is as good as none.
 */
import { Arena } from "../trees/arena.ts";
import { HASH_BYTES, type Hash } from "../format/hash.ts";
import { readLocal, writeLocal } from "../files/local-file.ts";
import type { Instant } from "../read/settled.ts";

/** Where and under which rules it was made: with other ones it is of less use. */
export interface Provenance {
  root: string;
  /** Of the rules for what is left out. */
  policy: string;
  /** Changes whenever objects are removed from the vault. */
  generation: string;
  /** The checkpoint that was made of it; empty when it was called off. */
  tree: Hash;
  /** When the scan behind it ended, and the newest time it saw in the workspace. */
  endedAt: Instant;
  newest: number;
}

export interface StatCache {
  arena: Arena;
  made: Provenance | null;
}

const VERSION = 3;
const HEAD = 24;
/** Texts before the links. */
const HEADINGS = 9;
/** Eight-byte fields come first, so that each array begins where its numbers may. */
const WIDE = 6;
const ROW = WIDE * 8 + 6 * 4 + 2 + HASH_BYTES;

export const readStatCache = (path: string): StatCache => {
  const bytes = readLocal(path);
  const cache = bytes === null ? null : decode(bytes);
  return cache ?? { arena: new Arena(), made: null };
};

export const writeStatCache = (
  path: string,
  arena: Arena,
  made: Provenance,
): void => {
  const kept = compacted(arena);
  kept.dropUnusedSets();
  const { count } = kept;
  const targets = [...kept.targets];
  const text = Buffer.from(
    [
      made.root,
      made.policy,
      made.generation,
      made.tree,
      String(made.endedAt.wall),
      String(made.endedAt.uptime),
      String(made.newest),
      String(targets.length),
      String(kept.xattrSets.length),
      ...targets.flatMap(([row, target]) => [String(row), target]),
      // They may hold any byte, and these texts no NUL.
      ...kept.xattrSets.map((set) =>
        Buffer.from(set, "latin1").toString("hex"),
      ),
      ...kept.names.slice(0, count),
    ].join("\0"),
    "latin1",
  );
  const head = Buffer.alloc(HEAD);
  head.writeUInt32LE(VERSION, 0);
  head.writeUInt32LE(count, 8);
  head.writeUInt32LE(text.length, 16);
  writeLocal(path, [
    head,
    ...columns(kept).map((column) => bytesOf(column.subarray(0, count))),
    kept.hashes.subarray(0, count * HASH_BYTES),
    text,
  ]);
};

const decode = (given: Buffer): StatCache | null => {
  if (given.length < HEAD || given.readUInt32LE(0) !== VERSION) return null;
  const count = given.readUInt32LE(8);
  const textLength = given.readUInt32LE(16);
  if (given.length !== HEAD + count * ROW + textLength) return null;
  // Arrays of wide numbers must begin at a multiple of eight.
  const bytes = given.byteOffset % 8 === 0 ? given : copyOf(given);
  const arena = new Arena();
  arena.count = count;
  let at = bytes.byteOffset + HEAD;
  const take = (width: number): number => {
    const start = at;
    at += width * count;
    return start;
  };
  const { buffer } = bytes;
  arena.dev = new Float64Array(buffer, take(8), count);
  arena.ino = new Float64Array(buffer, take(8), count);
  arena.size = new Float64Array(buffer, take(8), count);
  arena.ctime = new Float64Array(buffer, take(8), count);
  arena.seconds = new Float64Array(buffer, take(8), count);
  arena.group = new BigUint64Array(buffer, take(8), count);
  arena.nanoseconds = new Uint32Array(buffer, take(4), count);
  arena.mode = new Uint32Array(buffer, take(4), count);
  arena.parent = new Uint32Array(buffer, take(4), count);
  arena.first = new Uint32Array(buffer, take(4), count);
  arena.children = new Uint32Array(buffer, take(4), count);
  arena.xattr = new Uint32Array(buffer, take(4), count);
  arena.form = new Uint8Array(buffer, take(1), count);
  arena.state = new Uint8Array(buffer, take(1), count);
  arena.hashes = Buffer.from(buffer, take(HASH_BYTES), count * HASH_BYTES);
  const text = Buffer.from(buffer, at, textLength)
    .toString("latin1")
    .split("\0");
  const [root = "", policy = "", generation = "", tree = ""] = text;
  const [wall = 0, uptime = 0, newest = 0, links = 0, sets = 0] = text
    .slice(4, HEADINGS)
    .map(Number);
  const afterLinks = HEADINGS + links * 2;
  const afterSets = afterLinks + sets;
  for (let i = HEADINGS; i < afterLinks; i += 2)
    arena.targets.set(Number(text[i]), text[i + 1] ?? "");
  arena.xattrSets = text
    .slice(afterLinks, afterSets)
    .map((set) => Buffer.from(set, "hex").toString("latin1"));
  arena.names = text.slice(afterSets);
  const seen = { endedAt: { wall, uptime }, newest };
  return { arena, made: { root, policy, generation, tree, ...seen } };
};

/** Without rows that nobody reaches, when they are many. */
const compacted = (arena: Arena): Arena => {
  const live = arena.live();
  if (live.length > arena.count * 0.8) return arena;
  const kept = new Arena();
  kept.add(live.length);
  kept.xattrSets = arena.xattrSets;
  // Parents come before children and neighbours stay neighbours, so only the beginnings have to be told anew.
  const moved = new Map(live.map((row, at) => [row, at]));
  for (const [to, from] of live.entries()) {
    kept.names[to] = arena.names[from] ?? "";
    const target = arena.targets.get(from);
    if (target !== undefined) kept.targets.set(to, target);
    kept.hashes.set(
      arena.hashes.subarray(from * HASH_BYTES, (from + 1) * HASH_BYTES),
      to * HASH_BYTES,
    );
    kept.group[to] = arena.group[from] ?? 0n;
    const [ours, theirs] = [numbersOf(kept), numbersOf(arena)];
    for (const [i, column] of ours.entries())
      column[to] = theirs[i]?.[from] ?? 0;
    kept.parent[to] = moved.get(arena.parent[from] ?? 0) ?? 0;
    kept.first[to] = moved.get(arena.first[from] ?? 0) ?? 0;
  }
  return kept;
};

const numbersOf = (
  arena: Arena,
): (Float64Array | Uint32Array | Uint8Array)[] => [
  arena.dev,
  arena.ino,
  arena.size,
  arena.ctime,
  arena.seconds,
  arena.nanoseconds,
  arena.mode,
  arena.children,
  arena.form,
  arena.state,
  arena.xattr,
];

/** In the order of the file. */
const columns = (
  arena: Arena,
): (Float64Array | BigUint64Array | Uint32Array | Uint8Array)[] => [
  arena.dev,
  arena.ino,
  arena.size,
  arena.ctime,
  arena.seconds,
  arena.group,
  arena.nanoseconds,
  arena.mode,
  arena.parent,
  arena.first,
  arena.children,
  arena.xattr,
  arena.form,
  arena.state,
];

const bytesOf = (column: ArrayBufferView): Uint8Array =>
  new Uint8Array(column.buffer, column.byteOffset, column.byteLength);

const copyOf = (bytes: Buffer): Buffer => {
  const copy = Buffer.from(new ArrayBuffer(bytes.length));
  bytes.copy(copy);
  return copy;
};
