import type { ByteString } from "./byte-string.ts";
import { differences, type Difference } from "./diff.ts";
import type { Entry } from "./entry.ts";
import type { Hash } from "./hash.ts";
import { rootOf, treeOf, type ObjectSource } from "./objects.ts";

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

/** Everything in a checkpoint, parents before what is in them. */
export async function* walk(
  tree: Hash,
  source: ObjectSource,
): AsyncGenerator<{ path: ByteString; entry: Entry }> {
  const none = { source, tree: null };
  for await (const { path, after } of differences(none, { source, tree }))
    if (after !== null) yield { path, entry: after };
}

/** All names of the files that have several and are about to be written, by group. */
export const namesOfGroups = async (
  tree: Hash,
  source: ObjectSource,
  steps: readonly Difference[],
): Promise<Map<bigint, ByteString[]>> => {
  const groups = new Map<bigint, ByteString[]>();
  for (const { after } of steps)
    if (after?.kind === "file" && after.group !== 0n)
      groups.set(after.group, []);
  if (groups.size === 0) return groups;
  for await (const { path, entry } of walk(tree, source))
    if (entry.kind === "file") groups.get(entry.group)?.push(path);
  return groups;
};
