import { byBytes, join, type ByteString } from "../format/byte-string.ts";
import { sameContent, sameMtime, type Entry } from "../format/entry.ts";
import type { Hash } from "../format/hash.ts";
import { rootOf, treeOf, type ObjectSource } from "../packs/objects.ts";

/** What became of one path. */
export interface Difference {
  path: ByteString;
  before: Entry | null;
  after: Entry | null;
}

export const changeKinds = [
  "added",
  "removed",
  /** Another content, or another target of a link. */
  "modified",
  /** A file where a directory was, say. */
  "type",
  /** Who may do what with it, or another of its attributes. */
  "mode",
  /** Nothing but the time of the last change, or which names belong to one file. */
  "time",
] as const;
export type ChangeKind = (typeof changeKinds)[number];

/**
 * Every path that differs, parents before what is in them. Directories that are the same are not looked into. What is
 * `unsaved` on either side is nobody's knowledge, so it is no difference: it is one of the gaps.
 */
export const differences = async (
  before: Side,
  after: Side,
  gaps: Difference[] = [],
): Promise<Difference[]> => {
  const found: Difference[] = [];
  if (before.tree === after.tree) return found;
  const [old, now] = await Promise.all([rootIn(before), rootIn(after)]);
  const areComparable = hasLooked(old) && hasLooked(now);
  if (old !== null && now !== null) note("", old, now);
  await within("", old, now);
  return found;

  function note(path: ByteString, a: Entry | null, b: Entry | null): void {
    const [left, right] = areComparable ? [a, b] : withEqualXattrs(a, b);
    if (left === null || right === null || !isSame(left, right))
      found.push({ path, before: left, after: right });
  }

  async function within(
    path: ByteString,
    old: Entry | null,
    now: Entry | null,
  ): Promise<void> {
    const left = await childrenOf(before.source, old);
    const right = await childrenOf(after.source, now);
    for (const [a, b] of paired(left, right)) {
      const here = join(path, (a ?? b)?.name ?? "");
      if (a?.kind === "unsaved" || b?.kind === "unsaved") {
        gaps.push({ path: here, before: a, after: b });
        continue;
      }
      note(here, a, b);
      if (hashIn(a) !== hashIn(b))
        await within(here, directory(a), directory(b));
    }
  }
};

/** Whether something was mounted there, so that nobody knows what the workspace has beneath. */
export const isMounted = (entry: Entry | null): boolean =>
  entry?.kind === "unsaved" && entry.reason === "mounted";

/** A checkpoint, or nothing, and where its objects are. */
export interface Side {
  source: ObjectSource;
  tree: Hash | null;
}

export const kindOf = ({ before, after }: Difference): ChangeKind => {
  if (before === null) return "added";
  if (after === null) return "removed";
  if (before.kind !== after.kind) return "type";
  if (!sameBody(before, after)) return "modified";
  const isPermitted = before.mode === after.mode && sameXattrs(before, after);
  return isPermitted ? "time" : "mode";
};

const rootIn = async ({ source, tree }: Side): Promise<Entry | null> =>
  tree === null ? null : rootOf(source, tree);

const childrenOf = async (
  source: ObjectSource,
  entry: Entry | null,
): Promise<Entry[]> =>
  entry?.kind === "directory" ? treeOf(source, entry.hash) : [];

/** A directory differs by what is in it, and that is told entry by entry. */
const isSame = (a: Entry, b: Entry): boolean =>
  a.kind === b.kind && sameBody(a, b) && sameAttributes(a, b);

const sameAttributes = (a: Entry, b: Entry): boolean =>
  a.mode === b.mode &&
  sameMtime(a.mtime, b.mtime) &&
  groupOf(a) === groupOf(b) &&
  sameXattrs(a, b);

const sameXattrs = (a: Entry, b: Entry): boolean => a.xattrs === b.xattrs;

/** Whether attributes were looked for when a checkpoint was made: older releases did not. */
const hasLooked = (root: Entry | null): boolean =>
  root === null || root.xattrs !== undefined;

/** What is not known of one side is taken to be as it is on the other. */
const withEqualXattrs = (
  a: Entry | null,
  b: Entry | null,
): [Entry | null, Entry | null] => {
  const xattrs = a?.xattrs ?? b?.xattrs;
  if (xattrs === undefined || a?.kind !== b?.kind) return [a, b];
  return [a && { ...a, xattrs }, b && { ...b, xattrs }];
};

const sameBody = (a: Entry, b: Entry): boolean => {
  if (a.kind === "file" && b.kind === "file")
    return sameContent(a.content, b.content);
  if (a.kind === "link" && b.kind === "link") return a.target === b.target;
  return true;
};

const groupOf = (entry: Entry): bigint =>
  entry.kind === "file" ? entry.group : 0n;

const directory = (entry: Entry | null): Entry | null =>
  entry?.kind === "directory" ? entry : null;

const hashIn = (entry: Entry | null): Hash | null =>
  entry?.kind === "directory" ? entry.hash : null;

/** Both are sorted by name. */
function* paired(
  left: readonly Entry[],
  right: readonly Entry[],
): Generator<[Entry | null, Entry | null]> {
  let [l, r] = [0, 0];
  for (;;) {
    const [a, b] = [left[l] ?? null, right[r] ?? null];
    if (a === null && b === null) return;
    const order = a === null ? 1 : b === null ? -1 : byBytes(a.name, b.name);
    yield [order <= 0 ? a : null, order >= 0 ? b : null];
    if (order <= 0) l += 1;
    if (order >= 0) r += 1;
  }
}
