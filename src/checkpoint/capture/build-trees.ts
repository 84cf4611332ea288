import type { Arena } from "../trees/arena.ts";
import { forms } from "../trees/arena.ts";
import type { ByteString } from "../format/byte-string.ts";
import type { Content, Entry } from "../format/entry.ts";
import type { Hash } from "../format/hash.ts";
import type { Sink } from "../packs/sink.ts";
import { encodeRoot, encodeTree } from "../format/tree.ts";
import { xattrCalls } from "../format/xattr/xattr-calls.ts";
import { NO_XATTRS } from "../format/xattr/xattrs.ts";

const TYPE = 0o170000;
const PERMISSIONS = 0o7777;

/**
 * Makes the trees of directories in which something changed, and of those above them: each as soon as all that is in it
 * is known, so that there is little left to do when the last file was read.
 */
export class Trees {
  readonly #arena: Arena;
  readonly #sink: Sink;
  readonly #isAborted: () => boolean;
  /** Directories that may have to be made, by how many things in each are not known yet. */
  readonly #open = new Map<number, number>();
  readonly #changed = new Set<number>();
  /** Directories of which all may be known. */
  readonly #ready: number[] = [];

  constructor(arena: Arena, sink: Sink, isAborted: () => boolean) {
    this.#arena = arena;
    this.#sink = sink;
    this.#isAborted = isAborted;
  }

  /** Something in this directory is not what it was. */
  change(directory: number): void {
    this.#changed.add(directory);
    if (this.#enter(directory) === 0) this.#ready.push(directory);
  }

  /** Something in this directory has yet to be looked at. */
  expect(directory: number): void {
    this.#open.set(directory, this.#enter(directory) + 1);
  }

  /** Something that was expected is known. */
  settle(directory: number, isChanged: boolean): void {
    if (isChanged) this.#changed.add(directory);
    const left = (this.#open.get(directory) ?? 0) - 1;
    this.#open.set(directory, left);
    if (left === 0) this.#ready.push(directory);
  }

  /** Makes what can be made. Not before it is known which directories there are. */
  async make(): Promise<void> {
    for (;;) {
      const row = this.#ready.pop();
      // Called off, a scan has not seen all that is in a directory.
      if (row === undefined || this.#isAborted()) return;
      if (this.#open.get(row) !== 0) continue;
      this.#open.delete(row);
      const isChanged = this.#changed.has(row);
      if (isChanged && this.#arena.reason(row) === null) {
        const tree = encodeTree(entriesOf(this.#arena, row));
        this.#arena.setHash(row, this.#sink.add("tree", tree));
        await this.#sink.pace();
      }
      if (row !== 0) this.settle(this.#arena.parent[row] ?? 0, isChanged);
    }
  }

  /** The hash of the checkpoint, when all is made. */
  root(): Hash {
    if (this.#open.size > 0) throw new Error("a directory is not made");
    const root = entryOf(this.#arena, 0) ?? EMPTY;
    // Says that extended attributes were looked for, also where there are none.
    const looked = xattrCalls() === null ? {} : { xattrs: NO_XATTRS };
    return this.#sink.add("tree", encodeRoot({ ...looked, ...root }));
  }

  /** Marks what is not made, and what lies above it, so that the next checkpoint makes it. */
  forget(): void {
    for (const row of this.#open.keys()) this.#arena.forget(row);
  }

  /** Those above it wait for it. How many things in it are not known yet. */
  #enter(directory: number): number {
    const known = this.#open.get(directory);
    if (known !== undefined) return known;
    this.#open.set(directory, 0);
    if (directory !== 0) this.expect(this.#arena.parent[directory] ?? 0);
    return 0;
  }
}

const entriesOf = (arena: Arena, row: number): Entry[] => {
  const entries: Entry[] = [];
  const first = arena.first[row] ?? 0;
  for (let i = 0; i < (arena.children[row] ?? 0); i++) {
    const entry = entryOf(arena, first + i);
    if (entry !== null) entries.push(entry);
  }
  return entries;
};

/** Null for what has vanished meanwhile. */
const entryOf = (arena: Arena, row: number): Entry | null => {
  const name: ByteString = arena.names[row] ?? "";
  const reason = arena.reason(row);
  if (reason === "gone") return null;
  if (reason !== null)
    return { kind: "unsaved", name, mode: 0, mtime: NEVER, reason };
  const mode = (arena.mode[row] ?? 0) & PERMISSIONS;
  const mtime = {
    seconds: arena.seconds[row] ?? 0,
    nanoseconds: arena.nanoseconds[row] ?? 0,
  };
  const xattrs = arena.xattrs(row);
  const named = { name, mode, mtime, ...(xattrs !== "" && { xattrs }) };
  switch ((arena.mode[row] ?? 0) & TYPE) {
    case 0o100000:
      return {
        kind: "file",
        ...named,
        size: arena.size[row] ?? 0,
        content: contentOf(arena, row),
        group: arena.group[row] ?? 0n,
      };
    case 0o040000:
      return { kind: "directory", ...named, hash: arena.hash(row) };
    case 0o120000:
      return { kind: "link", ...named, target: arena.targets.get(row) ?? "" };
    case 0o010000:
      return { kind: "fifo", ...named };
    case 0o140000:
      return { kind: "socket", ...named };
    default:
      return { kind: "device", ...named };
  }
};

const contentOf = (arena: Arena, row: number): Content => {
  const form = forms[arena.form[row] ?? 0] ?? "empty";
  return form === "empty" ? { form } : { form, hash: arena.hash(row) };
};

const NEVER = { seconds: 0, nanoseconds: 0 };
const EMPTY: Entry = {
  kind: "directory",
  name: "",
  mode: 0o755,
  mtime: NEVER,
  hash: "",
};
