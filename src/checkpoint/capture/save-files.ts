import type { Entry } from "../format/entry.ts";
import {
  byBytes,
  fromText,
  nameOf,
  parentOf,
  type ByteString,
} from "../format/byte-string.ts";
import { VaultFailure } from "../format/failure.ts";
import type { Hash } from "../format/hash.ts";
import type { Objects } from "../packs/objects.ts";
import { PackWriter } from "../packs/pack-writer.ts";
import { readStable } from "../read/read-stable.ts";
import { UnseenChanges } from "../read/unseen-changes.ts";
import { split } from "../read/remember.ts";
import { encodeRoot, encodeTree, isName } from "../format/tree.ts";

export interface NamedFile {
  /** In the tree; slashes make directories. */
  name: string;
  /** Where it is. */
  path: string;
}

/** Files from anywhere as a checkpoint of their own. Each of them has to be there. */
export const saveFiles = async (
  files: readonly NamedFile[],
  objects: Objects,
  isAborted: () => boolean,
): Promise<Hash> => {
  await objects.refresh();
  const writer = new PackWriter(objects);
  try {
    const top: Folder = new Map();
    for (const { name, path } of files) {
      const parts = fromText(name).split("/");
      if (!parts.every(isName))
        throw new VaultFailure("refused", `${name} is no name for a file`);
      const file = await readNamed(path, parts.at(-1) ?? "", writer, isAborted);
      folderAt(top, parts.slice(0, -1)).set(file.name, file);
      await writer.pace();
    }
    const tree = writer.add("tree", encodeRoot(folderEntry("", top, writer)));
    await writer.finish();
    return tree;
  } catch (error) {
    await writer.discard();
    throw error;
  }
};

type Folder = Map<ByteString, Entry | Folder>;

const readNamed = async (
  path: string,
  name: ByteString,
  writer: PackWriter,
  isAborted: () => boolean,
): Promise<Entry> => {
  const at = fromText(path);
  const doubts = new UnseenChanges(parentOf(at), Date.now());
  const target = { at, path: nameOf(at), doubts };
  const reading = await readStable(target, writer, isAborted);
  switch (reading.kind) {
    case "read": {
      const { stat, content } = reading;
      return {
        kind: "file",
        name,
        mode: Number(stat.mode) & 0o7777,
        mtime: split(stat.mtimeNs),
        size: Number(stat.size),
        content,
        group: 0n,
      };
    }
    case "gone":
      throw new VaultFailure("not_found", `${path} is not there`);
    case "unreadable":
      throw new VaultFailure("not_permitted", `${path} cannot be read`);
    case "unstable":
      throw new VaultFailure("changed", `${path} changes while it is read`);
    case "aborted":
      throw new VaultFailure("aborted", "the checkpoint was called off");
  }
};

const folderAt = (top: Folder, parts: readonly ByteString[]): Folder => {
  let folder = top;
  for (const part of parts) {
    const there = folder.get(part);
    const next = there instanceof Map ? there : new Map();
    folder.set(part, next);
    folder = next;
  }
  return folder;
};

/** Directories that nobody made have no history: always the same mode and time. */
const folderEntry = (
  name: ByteString,
  folder: Folder,
  writer: PackWriter,
): Entry => {
  const entries = [...folder]
    .sort(([a], [b]) => byBytes(a, b))
    .map(([name, each]) =>
      each instanceof Map ? folderEntry(name, each, writer) : each,
    );
  return {
    kind: "directory",
    name,
    mode: 0o700,
    mtime: { seconds: 0, nanoseconds: 0 },
    hash: writer.add("tree", encodeTree(entries)),
  };
};
