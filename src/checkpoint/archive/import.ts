import { ArchiveFile } from "./archive-file.ts";
import { objectIn } from "../format/block.ts";
import { checkTrees, refused } from "../trees/check-trees.ts";
import { VaultFailure } from "../format/failure.ts";
import type { Hash } from "../format/hash.ts";
import type { ImportLimits } from "./import-limits.ts";
import type { Objects } from "../packs/objects.ts";
import { PackWriter } from "../packs/pack-writer.ts";

export interface Imported {
  roots: Hash[];
  members: { name: string; bytes: Uint8Array }[];
  /** What the vault grew by. */
  new_bytes: number;
  /** How many files are setuid or setgid, or have capabilities. They are restored without. */
  privileged: number;
}

/**
 * Takes the checkpoints of an archive into the vault, if they are to be kept. Everything in it is checked first: while
 * anything may still be wrong, nothing is written.
 */
export const importFrom = async (
  { file, limits, keep }: { file: string; limits: ImportLimits; keep: boolean },
  objects: Objects,
  isAborted: () => boolean,
): Promise<Imported> => {
  const archive = await ArchiveFile.open(file, limits, isAborted);
  try {
    const { roots, members: listed } = await archive.manifest();
    const { privileged } = await checkTrees(roots, archive, limits);
    refuseRepeated(listed.map(({ name }) => name));
    const size = listed.reduce((sum, { size }) => sum + size, 0);
    if (size > limits.maxMemberBytes)
      throw new VaultFailure(
        "too_large",
        "the archive's members are too large",
      );
    const members: Imported["members"] = [];
    for (const each of listed)
      members.push({ name: each.name, bytes: await archive.member(each) });
    return {
      roots,
      members,
      privileged,
      new_bytes: keep ? await copy(archive, objects, isAborted) : 0,
    };
  } finally {
    archive.close();
  }
};

/** Who reads one of them and who reads the other would not read the same. */
const refuseRepeated = (names: readonly string[]): void => {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw refused(`it names ${name} twice`);
    seen.add(name);
  }
};

const copy = async (
  archive: ArchiveFile,
  objects: Objects,
  isAborted: () => boolean,
): Promise<number> => {
  await objects.refresh();
  const writer = new PackWriter(objects);
  try {
    for (const [at, { placed }] of archive.blocks.entries()) {
      if (isAborted())
        throw new VaultFailure("aborted", "the import was called off");
      const raw = await archive.unpacked(at);
      for (const each of placed)
        if (each.kind !== "manifest")
          writer.add(each.kind, objectIn(raw, each));
      await writer.pace();
    }
    await writer.finish();
    return writer.newBytes;
  } catch (error) {
    await writer.discard();
    throw error;
  }
};
