/** How much changed from one tree to another, in files and lines. Somebody waits for it, so the work is limited. */
import type { Changes } from "../../contract/session/changes.ts";
import { countEdits } from "../../kit/data/count-edits.ts";
import { isGits } from "../../contract/session/is-gits.ts";
import { textIn } from "../../kit/data/text-in.ts";
import type { Hash } from "../format/hash.ts";
import type { Objects } from "../packs/objects.ts";
import { type Change, toChange } from "./change.ts";
import { differences } from "./diff.ts";
import { readFileOf } from "./list.ts";

/** Beyond these, lines are not counted. */
const MAX_FILES = 100;
const MAX_FILE_BYTES = 256 * 1024;
const MAX_BYTES = 2 * 1024 * 1024;

export const countChanges = async (
  source: Objects,
  from: Hash,
  to: Hash,
): Promise<Changes> => {
  if (from === to) return { files: 0, added: 0, removed: 0 };
  const found = await differences({ source, tree: from }, { source, tree: to });
  const changes = found.map(toChange).filter(isFile);
  const lines = isMuch(changes)
    ? null
    : await countLines(source, { from, to, changes });
  return {
    files: changes.length,
    added: lines?.added ?? null,
    removed: lines?.removed ?? null,
  };
};

/** Directories come and go with what is in them. */
const isFile = ({ entry, kind, path }: Change): boolean =>
  entry !== "directory" && kind !== "time" && !isGits(path);

const sizeOf = ({ size_before, size_after }: Change): number =>
  (size_before ?? 0) + (size_after ?? 0);

const isMuch = (changes: readonly Change[]): boolean =>
  changes.length > MAX_FILES ||
  changes.some(
    ({ size_before, size_after }) =>
      Math.max(size_before ?? 0, size_after ?? 0) > MAX_FILE_BYTES,
  ) ||
  changes.reduce((sum, change) => sum + sizeOf(change), 0) > MAX_BYTES;

/** A file that is no text before or after has no lines. */
const countLines = async (
  source: Objects,
  { from, to, changes }: { from: Hash; to: Hash; changes: readonly Change[] },
): Promise<{ added: number; removed: number }> => {
  let [added, removed] = [0, 0];
  for (const { path, size_before, size_after } of changes) {
    const read = async (tree: Hash, size: number | null) =>
      size === null || size === 0
        ? ""
        : textIn(await readFileOf(tree, path, MAX_FILE_BYTES, source));
    const [before, after] = await Promise.all([
      read(from, size_before),
      read(to, size_after),
    ]);
    if (before === null || after === null) continue;
    const edits = countEdits(before, after);
    added += edits.added;
    removed += edits.removed;
  }
  return { added, removed };
};
