import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  MOST_JOURNAL_BYTES,
  MOST_MANIFEST_BYTES,
} from "../../contract/archive.ts";
import type { LinkParams, LinkResult } from "../../contract/link.ts";
import { writeDurably } from "../../kit/durable-file.ts";
import { Refused } from "../refused.ts";
import type { Depot } from "./depot.ts";

/** Writes trees and named texts into one file, which must not exist. */
export const exportTrees = async (
  depot: Depot,
  { file, trees, members }: LinkParams<"export">,
): Promise<LinkResult<"export">> => {
  if (existsSync(file))
    throw new Refused("file_exists", `${file} exists already`);
  const texts = await Promise.all(
    members.map(async ({ name, file }) => ({
      name,
      bytes: await readFile(file),
    })),
  );
  const vault = await depot.vault();
  const { bytes } = await vault.exportTo(file, trees, texts, depot.closing);
  return { bytes };
};

/** Takes such a file in, all of it or nothing, or only looks at it; leaves its named texts in an empty directory. */
export const importTrees = async (
  depot: Depot,
  { file, members: directory, keep = true }: LinkParams<"import">,
): Promise<LinkResult<"import">> => {
  const vault = await depot.vault();
  // Texts are held in memory, and the daemon of all agents has no more to give than the server takes.
  const limits = { mostMemberBytes: MOST_JOURNAL_BYTES + MOST_MANIFEST_BYTES };
  const { roots, members, privileged } = keep
    ? await vault.importFrom(file, limits, depot.closing)
    : await vault.checkArchive(file, limits, depot.closing);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const { name, bytes } of members)
    await writeDurably(join(directory, name), bytes);
  return {
    trees: roots,
    members: members.map(({ name }) => name),
    privileged,
  };
};
