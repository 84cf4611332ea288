import { readFileSync } from "node:fs";
import { fsPath, join, type ByteString } from "./byte-string.ts";
import type { UnsavedReason } from "./entry.ts";
import { hashOf } from "./hash.ts";
import { IGNORE_FILE, insideOf, isIgnored, parseIgnore } from "./ignore.ts";

/** What is left out of a checkpoint, all of it by somebody's word. */
export interface Policy {
  /** For an entry of a directory, both by their paths in the workspace. */
  reason(
    directory: ByteString,
    name: ByteString,
    isDirectory: () => boolean,
  ): UnsavedReason | null;
  mostFileBytes: number;
  /** Equal for equal rules. */
  digest: string;
}

export interface Rules {
  /** Absolute paths. */
  leaveOut: readonly ByteString[];
  mostFileBytes: number;
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
    mostFileBytes: rules.mostFileBytes,
    digest: hashOf(
      Buffer.from(
        JSON.stringify([text, rules.leaveOut, rules.mostFileBytes]),
        "latin1",
      ),
    ),
  };
};

/** A file that cannot be read says nothing: it is itself among the unreadable ones, so the checkpoint is `partial`. */
const ignoreText = (root: ByteString): ByteString => {
  try {
    return readFileSync(fsPath(`${root}/${IGNORE_FILE}`), "latin1");
  } catch {
    return "";
  }
};
