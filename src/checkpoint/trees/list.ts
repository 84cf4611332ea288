import {
  fromText,
  join,
  toText,
  type ByteString,
} from "../format/byte-string.ts";
import type { Entry, EntryKind, UnsavedReason } from "../format/entry.ts";
import { VaultFailure } from "../format/failure.ts";
import { entryAt } from "./find-entry.ts";
import type { Hash } from "../format/hash.ts";
import {
  piecesOf,
  rootOf,
  treeOf,
  type Objects,
  type ObjectSource,
} from "../packs/objects.ts";

/** One path of a checkpoint, for people and programs. */
export interface Listed {
  path: string;
  kind: EntryKind;
  mode: number;
  mtime_ns: string;
  /** Of a file. */
  size: number | null;
  /** Of a link. */
  target: string | null;
  /** Why it is `unsaved`. */
  reason: UnsavedReason | null;
}

/** Everything in a checkpoint, parents before what is in them. */
export const list = async (
  tree: Hash,
  source: ObjectSource,
): Promise<Listed[]> => {
  const listed: Listed[] = [];
  const visit = async (path: ByteString, entry: Entry): Promise<void> => {
    listed.push(tell(path, entry));
    if (entry.kind !== "directory") return;
    for (const child of await treeOf(source, entry.hash))
      await visit(join(path, child.name), child);
  };
  await visit("", await rootOf(source, tree));
  return listed;
};

/** The content of one file of a checkpoint. */
export const readFileOf = async (
  tree: Hash,
  path: string,
  maxBytes: number,
  objects: Objects,
): Promise<Uint8Array> => {
  const entry = await entryAt(tree, fromText(path), objects);
  if (entry?.kind !== "file")
    throw new VaultFailure("not_found", `${path} is no file of the checkpoint`);
  if (entry.size > maxBytes)
    throw new VaultFailure("too_large", `${path} has ${entry.size} bytes`);
  const { content } = entry;
  switch (content.form) {
    case "empty":
      return new Uint8Array();
    case "whole":
      return Uint8Array.from(await objects.object(content.hash));
    case "pieces": {
      const bytes = new Uint8Array(entry.size);
      let at = 0;
      for (const piece of await piecesOf(objects, content.hash)) {
        if (piece.kind === "data")
          bytes.set(await objects.object(piece.hash), at);
        at += piece.length;
      }
      return bytes;
    }
  }
};

const tell = (path: ByteString, entry: Entry): Listed => ({
  path: toText(path),
  kind: entry.kind,
  mode: entry.mode,
  mtime_ns: String(
    BigInt(entry.mtime.seconds) * 1_000_000_000n +
      BigInt(entry.mtime.nanoseconds),
  ),
  size: entry.kind === "file" ? entry.size : null,
  target: entry.kind === "link" ? toText(entry.target) : null,
  reason: entry.kind === "unsaved" ? entry.reason : null,
});
