import { toText } from "../format/byte-string.ts";
import { kindOf, type ChangeKind, type Difference } from "./diff.ts";
import type { Entry, EntryKind } from "../format/entry.ts";

/** What became of one path, for people and programs. */
export interface Change {
  path: string;
  kind: ChangeKind;
  /** What is there after it, or was there before it. */
  entry: EntryKind;
  size_before: number | null;
  size_after: number | null;
}

export const toChange = (difference: Difference): Change => {
  const { path, before, after } = difference;
  return {
    path: toText(path),
    kind: kindOf(difference),
    entry: (after ?? before)?.kind ?? "file",
    size_before: sizeOf(before),
    size_after: sizeOf(after),
  };
};

const sizeOf = (entry: Entry | null): number | null =>
  entry?.kind === "file" ? entry.size : null;
