import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { fsPath, type ByteString } from "../format/byte-string.ts";
import { looked } from "./look.ts";
import { mountIdOf } from "./mount-id.ts";

/**
 * What a directory is known by apart from its name: its mount, its device and its number. Null when there is none. A name
 * leads elsewhere once a disk is mounted there, or taken away.
 */
export const directoryIdentity = (root: ByteString): string | null => {
  const file = looked(() => openSync(fsPath(root), constants.O_DIRECTORY));
  if (typeof file === "string") return null;
  try {
    const { dev, ino } = fstatSync(file);
    return [mountIdOf(file), dev, ino].join(" ");
  } finally {
    closeSync(file);
  }
};
