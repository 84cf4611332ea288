import type { ByteString } from "../format/byte-string.ts";
import { differences, type Difference } from "./diff.ts";
import type { Entry } from "../format/entry.ts";
import type { Hash } from "../format/hash.ts";
import { rootOf, treeOf, type ObjectSource } from "../packs/objects.ts";

/** What a checkpoint has at a path; null when nothing. */
export const entryAt = async (
  tree: Hash,
  path: ByteString,
  source: ObjectSource,
): Promise<Entry | null> => {
  let entry: Entry | undefined = await rootOf(source, tree);
  for (const part of path === "" ? [] : path.split("/")) {
    if (entry?.kind !== "directory") return null;
    const entries: Entry[] = await treeOf(source, entry.hash);
    entry = entries.find(({ name }) => name === part);
  }
  return entry ?? null;
};

/** Everything that a restore into an empty directory makes, parents before what is in them. */
export const allOf = (
  tree: Hash,
  source: ObjectSource,
): Promise<Difference[]> =>
  differences({ source, tree: null }, { source, tree });

/** All names of the files that have several and are about to be written, by group; `all` has everything there is. */
export const namesOfGroups = async (
  steps: readonly Difference[],
  all: () => Promise<readonly Difference[]>,
): Promise<Map<bigint, ByteString[]>> => {
  const groups = new Map<bigint, ByteString[]>();
  for (const { after } of steps)
    if (after?.kind === "file" && after.group !== 0n)
      groups.set(after.group, []);
  if (groups.size === 0) return groups;
  for (const { path, after } of await all())
    if (after?.kind === "file") groups.get(after.group)?.push(path);
  return groups;
};
