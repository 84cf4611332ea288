import { readFile, stat } from "node:fs/promises";
import {
  MAX_JOURNAL_BYTES,
  MAX_MANIFEST_BYTES,
} from "../../../contract/session/archive.ts";
import type { LinkParams, LinkResult } from "../../../contract/link/link.ts";
import { LinkError } from "../../../contract/link/link-error.ts";
import type { Transfers } from "../../storage/transfers.ts";
import type { CheckpointStorage } from "../../storage/checkpoint-storage.ts";

/** Texts are held in memory, and the daemon of all agents has no more to give than the server takes. */
const MAX_MEMBER_BYTES = MAX_JOURNAL_BYTES + MAX_MANIFEST_BYTES;

/** Makes one file of trees and named texts. */
export const exportArchive = async (
  storage: CheckpointStorage,
  transfers: Transfers,
  { trees, members }: LinkParams<"export_archive">,
): Promise<LinkResult<"export_archive">> => {
  const texts = await readMembers(transfers, members);
  const vault = await storage.vault();
  return transfers.make((path) =>
    vault.exportTo(path, trees, texts, storage.closing),
  );
};

const readMembers = async (
  transfers: Transfers,
  members: LinkParams<"export_archive">["members"],
) => {
  const files = await Promise.all(
    members.map(async ({ name, transfer }) => {
      const path = await transfers.pathOf(transfer);
      return { name, path, size: (await stat(path)).size };
    }),
  );
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > MAX_MEMBER_BYTES)
    throw new LinkError(
      "invalid_params",
      `the texts have ${bytes} bytes, and an archive takes ${MAX_MEMBER_BYTES}`,
    );
  return Promise.all(
    files.map(async ({ name, path }) => ({
      name,
      bytes: await readFile(path),
    })),
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
  const limits = { maxMemberBytes: MAX_MEMBER_BYTES };
  if (keep) {
    const { roots, privileged } = await vault.importFrom(
      file,
      limits,
      storage.closing,
    );
    return { trees: roots, members: [], privileged };
  }
  const checked = await vault.checkArchive(file, limits, storage.closing);
  const members = await keepMembers(transfers, checked.members);
  return { trees: checked.roots, members, privileged: checked.privileged };
};

/** All of them or none: the caller would not learn the ids of some, and could not release them. */
const keepMembers = async (
  transfers: Transfers,
  texts: readonly { name: string; bytes: Uint8Array }[],
): Promise<LinkResult<"import_archive">["members"]> => {
  const members: LinkResult<"import_archive">["members"] = [];
  try {
    for (const { name, bytes } of texts)
      members.push({ name, ...(await transfers.keep(bytes)) });
    return members;
  } catch (error) {
    await transfers.release(members.map(({ transfer }) => transfer));
    throw error;
  }
};
