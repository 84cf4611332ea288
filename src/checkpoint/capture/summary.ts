import type { Arena } from "../trees/arena.ts";
import { toText } from "../format/byte-string.ts";
import { unreachable } from "../../kit/unreachable.ts";
import type { UnsavedReason } from "../format/entry.ts";
import { isIncomplete } from "../format/xattr/xattrs.ts";

/** What a checkpoint holds, and what it does not. */
export interface Summary {
  /** `partial` when something could not be captured. What was left out on somebody's word does not count. */
  outcome: "saved" | "partial";
  files: number;
  bytes: number;
  unstable: string[];
  unreadable: string[];
  left_out: { path: string; reason: LeftOutReason }[];
}

/** Attributes: the file is there, but not all of its extended attributes. */
export type LeftOutReason = UnsavedReason | "attributes";

export const summary = (arena: Arena): Summary => {
  const told: Summary = {
    outcome: "saved",
    files: 0,
    bytes: 0,
    unstable: [],
    unreadable: [],
    left_out: [],
  };
  for (const row of arena.live()) {
    const reason = arena.reason(row);
    if (reason === "gone") continue;
    if (reason !== null) tell(told, toText(arena.path(row)), reason);
    else if (((arena.mode[row] ?? 0) & 0o170000) === 0o100000) {
      told.files += 1;
      told.bytes += arena.size[row] ?? 0;
    }
    if (arena.xattr[row] !== 0 && isIncomplete(arena.xattrs(row)))
      told.left_out.push({
        path: toText(arena.path(row)),
        reason: "attributes",
      });
  }
  if (told.unstable.length > 0 || told.unreadable.length > 0)
    told.outcome = "partial";
  return told;
};

const tell = (told: Summary, path: string, reason: UnsavedReason): void => {
  switch (reason) {
    case "unstable":
      told.unstable.push(path);
      return;
    case "unreadable":
      told.unreadable.push(path);
      return;
    case "ignored":
    case "asked":
    case "too_large":
    case "mounted":
      told.left_out.push({ path, reason });
      return;
    default:
      unreachable(reason);
  }
};
