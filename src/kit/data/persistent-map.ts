/**
 * A map from text to values that is never changed in place: a change copies a few small arrays and shares the rest with the
 * map before it, so it costs the same however many entries there are. It is plain JSON, so it can rest in a snapshot.
 *
 *     leaf     up to 8 entries
 *     branch   16 children; four bits of the key's hash say which one, the next four bits say which one below that
 */
export type PersistentMap<V> = Leaf<V> | Branch<V>;

interface Leaf<V> {
  readonly size: number;
  readonly entries: readonly Entry<V>[];
}

interface Branch<V> {
  readonly size: number;
  readonly children: readonly (PersistentMap<V> | null)[];
}

type Entry<V> = readonly [key: string, value: V];

const LEAF_ENTRIES = 8;
const CHILDREN = 16;
const BITS = 4;
/** Below this depth the hash is used up: a leaf then holds whatever has the same hash. */
const DEPTH = 32 / BITS;

export const emptyMap = { size: 0, entries: [] } as const;

export const valueOf = <V>(
  map: PersistentMap<V>,
  key: string,
): V | undefined => {
  const hash = hashOf(key);
  let node: PersistentMap<V> | null | undefined = map;
  for (let depth = 0; node != null; depth += 1) {
    if ("entries" in node)
      return node.entries.find(([each]) => each === key)?.[1];
    node = node.children[digit(hash, depth)];
  }
  return undefined;
};

export const withEntry = <V>(
  map: PersistentMap<V>,
  key: string,
  value: V,
): PersistentMap<V> => put(map, [key, value], hashOf(key), 0);

export const without = <V>(
  map: PersistentMap<V>,
  key: string,
): PersistentMap<V> => take(map, key, hashOf(key), 0);

/** In no particular order, and the same for the same entries. */
export function* entriesOf<V>(map: PersistentMap<V>): Generator<Entry<V>> {
  if ("entries" in map) return yield* map.entries;
  for (const child of map.children) if (child !== null) yield* entriesOf(child);
}

const put = <V>(
  node: PersistentMap<V>,
  entry: Entry<V>,
  hash: number,
  depth: number,
): PersistentMap<V> => {
  if ("entries" in node) {
    const at = node.entries.findIndex(([each]) => each === entry[0]);
    if (at !== -1) return leafOf(node.entries.with(at, entry));
    const entries = [...node.entries, entry];
    return entries.length <= LEAF_ENTRIES || depth === DEPTH
      ? leafOf(entries)
      : split(entries, depth);
  }
  const at = digit(hash, depth);
  const child = put(node.children[at] ?? emptyMap, entry, hash, depth + 1);
  return withChild(node, at, child);
};

const take = <V>(
  node: PersistentMap<V>,
  key: string,
  hash: number,
  depth: number,
): PersistentMap<V> => {
  if ("entries" in node) {
    const at = node.entries.findIndex(([each]) => each === key);
    return at === -1 ? node : leafOf(node.entries.toSpliced(at, 1));
  }
  const at = digit(hash, depth);
  const before = node.children[at] ?? null;
  if (before === null) return node;
  const child = take(before, key, hash, depth + 1);
  if (child === before) return node;
  const branch = withChild(node, at, child);
  // As small as if it had never been larger: equal maps have equal shapes.
  return branch.size > LEAF_ENTRIES ? branch : leafOf([...entriesOf(branch)]);
};

const withChild = <V>(
  { size, children }: Branch<V>,
  at: number,
  child: PersistentMap<V>,
): Branch<V> => ({
  size: size - (children[at]?.size ?? 0) + child.size,
  children: children.with(at, child.size === 0 ? null : child),
});

const split = <V>(
  entries: readonly Entry<V>[],
  depth: number,
): PersistentMap<V> =>
  entries.reduce<PersistentMap<V>>(
    (branch, entry) => put(branch, entry, hashOf(entry[0]), depth),
    { size: 0, children: Array.from({ length: CHILDREN }, () => null) },
  );

const leafOf = <V>(entries: readonly Entry<V>[]): Leaf<V> => ({
  size: entries.length,
  entries,
});

const digit = (hash: number, depth: number): number =>
  (hash >>> (depth * BITS)) & (CHILDREN - 1);

/** FNV-1a. */
const hashOf = (key: string): number => {
  let hash = 0x81_1c_9d_c5;
  for (let i = 0; i < key.length; i += 1)
    hash = Math.imul(hash ^ key.charCodeAt(i), 0x01_00_01_93);
  return hash >>> 0;
};
