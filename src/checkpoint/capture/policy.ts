import { join, type ByteString } from "../format/byte-string.ts";
import type { UnsavedReason } from "../format/entry.ts";
import { VaultFailure } from "../format/failure.ts";
import { hashOf } from "../format/hash.ts";
import { IGNORE_FILE, insideOf, isIgnored, parseIgnore } from "./ignore.ts";
import { openFile } from "../files/look.ts";

/** What is left out of a checkpoint, all of it by somebody's word. */
export interface Policy {
  /** For an entry of a directory, both by their paths in the workspace. */
  reason(
    directory: ByteString,
    name: ByteString,
    isDirectory: () => boolean,
  ): UnsavedReason | null;
  maxFileBytes: number;
  /** Equal for equal rules. */
  digest: string;
}

export interface Rules {
  /** Absolute paths. */
  leaveOut: readonly ByteString[];
  maxFileBytes: number;
}

export const policyOf = (root: ByteString, rules: Rules): Policy => {
  const text = ignoreText(root);
  const ignore = parseIgnore(text);
  const asked = insideOf(root, rules.leaveOut);
  return {
    reason: (directory, name, isDirectory) => {
      if (asked.get(directory)?.has(name) === true) return "asked";
      if (ignore.length === 0) return null;
      return isIgnored(ignore, join(directory, name), isDirectory())
        ? "ignored"
        : null;
    },
    maxFileBytes: rules.maxFileBytes,
    digest: hashOf(
      Buffer.from(
        JSON.stringify([text, rules.leaveOut, rules.maxFileBytes]),
        "latin1",
      ),
    ),
  };
};

/** Every rule is held against every name. */
const MAX_IGNORE_BYTES = 64 * 1024;

/**
 * A file that cannot be read says nothing: it is itself among the unreadable ones, so the checkpoint is `partial`. What
 * bears its name and is no file, a link or a FIFO, says nothing either: nobody follows the one or waits for the other.
 */
const ignoreText = (root: ByteString): ByteString => {
  const file = openFile(join(root, IGNORE_FILE));
  if (typeof file === "string") return "";
  try {
    if (!file.stat().isFile()) return "";
    const bytes = Buffer.alloc(MAX_IGNORE_BYTES + 1);
    const length = file.read(bytes, bytes.length, 0);
    if (length > MAX_IGNORE_BYTES)
      throw new VaultFailure(
        "too_large",
        `${IGNORE_FILE} is longer than ${MAX_IGNORE_BYTES / 1024} KiB`,
      );
    return bytes.toString("latin1", 0, length);
  } finally {
    file.close();
  }
};
