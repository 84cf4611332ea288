import { existsSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { ByteString } from "../format/byte-string.ts";

/**
 * What a restore makes beside its place, until it is whole, has a name with the id of that restore. The id is noted in
 * the vault before it is used: a name that looks like one and is not noted is a person's.
 */
const SHAPE = /^\.reprise-restore-([0-9a-f]{32})(-[0-9a-f]{12})?$/;

export const newRestoreId = (): string => randomBytes(16).toString("hex");

/** A workspace that is being made. */
export const draftDirectoryName = (restore: string): string =>
  `.reprise-restore-${restore}`;

/** A file that is being made in a workspace, another one each time. */
export const draftFileName = (restore: string): string =>
  `${draftDirectoryName(restore)}-${randomBytes(6).toString("hex")}`;

/** What the name of something in a directory says of it; null for everything that is not ours. */
export type DraftKind = (name: ByteString) => "file" | "directory" | null;

/** By the notes in this folder, as they are when a name is met that looks like ours. */
export const draftsNotedIn = (folder: string): DraftKind => {
  const noted = new Map<string, boolean>();
  return (name) => {
    const [, restore, file] = SHAPE.exec(name) ?? [];
    if (restore === undefined) return null;
    const isNoted = noted.get(restore) ?? existsSync(join(folder, restore));
    noted.set(restore, isNoted);
    if (!isNoted) return null;
    return file === undefined ? "directory" : "file";
  };
};
