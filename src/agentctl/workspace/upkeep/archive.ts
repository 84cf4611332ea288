import { readFile } from "node:fs/promises";
import {
  MAX_JOURNAL_BYTES,
  MAX_MANIFEST_BYTES,
} from "../../../contract/archive.ts";
import type { LinkParams, LinkResult } from "../../../contract/link.ts";
import type { Transfers } from "../../storage/transfers.ts";
import type { CheckpointStorage } from "../../storage/checkpoint-storage.ts";

/** Makes one file of trees and named texts. */
export const exportArchive = async (
  storage: CheckpointStorage,
  transfers: Transfers,
  { trees, members }: LinkParams<"export_archive">,
): Promise<LinkResult<"export_archive">> => {
  const texts = await Promise.all(
    members.map(async ({ name, transfer }) => ({
      name,
      bytes: await readFile(await transfers.pathOf(transfer)),
    })),
  );
  const vault = await storage.vault();
  return transfers.make((path) =>
    vault.exportTo(path, trees, texts, storage.closing),
  );
};

/** Takes such a file in, all of it or nothing; or only checks it, and tells its named texts. */
export const importArchive = async (
  storage: CheckpointStorage,
  transfers: Transfers,
  { transfer, keep }: LinkParams<"import_archive">,
): Promise<LinkResult<"import_archive">> => {
  const file = await transfers.pathOf(transfer);
  const vault = await storage.vault();
  // Texts are held in memory, and the daemon of all agents has no more to give than the server takes.
  const limits = { maxMemberBytes: MAX_JOURNAL_BYTES + MAX_MANIFEST_BYTES };
  if (keep) {
    const { roots, privileged } = await vault.importFrom(
      file,
      limits,
      storage.closing,
    );
    return { trees: roots, members: [], privileged };
  }
  const checked = await vault.checkArchive(file, limits, storage.closing);
  const members: LinkResult<"import_archive">["members"] = [];
  for (const { name, bytes } of checked.members)
    members.push({ name, ...(await transfers.keep(bytes)) });
  return { trees: checked.roots, members, privileged: checked.privileged };
};
