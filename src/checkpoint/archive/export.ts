import { basename, dirname } from "node:path";
import type { ObjectKind } from "../format/block.ts";
import { encodeManifest, type Manifest } from "./archive.ts";
import { FolderBytes } from "../bytes/folder.ts";
import { PIECE } from "../format/entry.ts";
import { VaultFailure } from "../format/failure.ts";
import type { Hash } from "../format/hash.ts";
import type { Objects } from "../packs/objects.ts";
import { inPackOrder } from "../packs/pack-order.ts";
import { PackFile } from "../packs/pack-file.ts";
import { reach } from "../trees/reach.ts";

/** Bytes that travel with the checkpoints. */
export interface Member {
  name: string;
  bytes: Uint8Array;
}

export interface Exported {
  bytes: number;
  objects: number;
}

/** Writes checkpoints and members into one file, which is there only when it is complete. */
export const exportTo = async (
  file: string,
  roots: readonly Hash[],
  members: readonly Member[],
  objects: Objects,
  isAborted: () => boolean,
): Promise<Exported> => {
  await objects.refresh();
  const reached = new Map<Hash, ObjectKind>();
  for (const root of roots) await reach(root, objects, reached);
  const archive = await PackFile.begin(
    new FolderBytes(dirname(file)),
    basename(file),
  );
  try {
    for (const block of inPackOrder(reached.keys(), objects)) {
      if (isAborted())
        throw new VaultFailure("aborted", "the export was called off");
      const { pack, offset, wanted } = block;
      for await (const found of objects.inBlock(pack, offset, wanted)) {
        const { hash } = found.wanted;
        await archive.add(reached.get(hash) ?? "data", hash, found.bytes);
      }
    }
    const listed: Manifest["members"] = [];
    for (const { name, bytes } of members)
      listed.push({
        name,
        size: bytes.length,
        pieces: await addPieces(archive, bytes),
      });
    await archive.addNew("manifest", encodeManifest(roots, listed));
    return { bytes: await archive.seal(), objects: reached.size };
  } catch (error) {
    await archive.discard();
    throw error;
  }
};

const addPieces = async (
  archive: PackFile,
  bytes: Uint8Array,
): Promise<Hash[]> => {
  const hashes: Hash[] = [];
  for (let at = 0; at < bytes.length; at += PIECE)
    hashes.push(await archive.addNew("data", bytes.subarray(at, at + PIECE)));
  return hashes;
};
