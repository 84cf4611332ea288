import type { Arena } from "./arena.ts";
import { forms } from "./arena.ts";
import type { ByteString } from "./byte-string.ts";
import type { Content, Entry } from "./entry.ts";
import type { Hash } from "./hash.ts";
import type { Sink } from "./sink.ts";
import { encodeRoot, encodeTree } from "./tree.ts";

const TYPE = 0o170000;
const PERMISSIONS = 0o7777;

/** Makes the trees of the changed directories and of those above them, the deepest first; the hash of the checkpoint. */
export const buildTrees = async (
  arena: Arena,
  changed: Iterable<number>,
  sink: Sink,
): Promise<Hash> => {
  for (const row of deepestFirst(arena, changed)) {
    arena.setHash(row, sink.add("tree", encodeTree(entriesOf(arena, row))));
    await sink.pace();
  }
  const root = entryOf(arena, 0);
  return sink.add("tree", encodeRoot(root ?? EMPTY));
};

/** Marks as unfinished what `buildTrees` would make, so that the next checkpoint makes it. */
export const forgetTrees = (arena: Arena, changed: Iterable<number>): void => {
  for (const row of deepestFirst(arena, changed)) arena.forget(row);
};

const deepestFirst = (arena: Arena, changed: Iterable<number>): number[] => {
  const depths = new Map<number, number>();
  const depthOf = (row: number): number => {
    const known = depths.get(row);
    if (known !== undefined) return known;
    const depth = row === 0 ? 0 : depthOf(arena.parent[row] ?? 0) + 1;
    depths.set(row, depth);
    return depth;
  };
  for (const row of changed) depthOf(row);
  return [...depths]
    .filter(([row]) => arena.reason(row) === null)
    .sort(([, a], [, b]) => b - a)
    .map(([row]) => row);
};

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
  const named = { name, mode, mtime };
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
