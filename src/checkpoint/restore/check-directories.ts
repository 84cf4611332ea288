import {
  join,
  parentOf,
  toText,
  type ByteString,
} from "../format/byte-string.ts";
import type { Difference } from "../trees/diff.ts";
import type { Entry } from "../format/entry.ts";
import { VaultFailure } from "../format/failure.ts";
import { stat, statExactly, targetOf } from "../files/look.ts";
import { mountAbove, mountsWithin } from "../files/mounts.ts";
import type { SafePath } from "../files/safe-path.ts";

/**
 * Sees that what is there is what the plan was made for, before anything is touched: no link and no mount stands where
 * the way leads through, nothing has appeared, nothing has changed.
 */
export const checkDirectories = (
  { root, safePath }: { root: ByteString; safePath: SafePath },
  fresh: boolean,
  steps: readonly Difference[],
): void => {
  const ground = stat(root);
  if (typeof ground === "string" || !ground.isDirectory())
    throw new VaultFailure("not_found", `${toText(root)} is not a directory`);
  if (fresh) return;
  const mounts = mountsWithin(root);
  const made = new Set<ByteString>();
  const firm = new Set<ByteString>([""]);
  for (const { path, before, after } of steps) {
    const mount = mountAbove(mounts, path);
    if (mount !== undefined) throw mountedMeanwhile(mount);
    if (path !== "") walkTo(root, parentOf(path), firm, made);
    if (made.has(parentOf(path)) && path !== "") {
      if (after?.kind === "directory") made.add(path);
      continue;
    }
    if (!fits(safePath.at(path), before)) throw changed(path);
    if (after?.kind === "directory" && before?.kind !== "directory")
      made.add(path);
  }
};

/** Every directory on the way is a directory, or will be one. */
const walkTo = (
  root: ByteString,
  path: ByteString,
  firm: Set<ByteString>,
  made: ReadonlySet<ByteString>,
): void => {
  if (firm.has(path) || made.has(path)) return;
  walkTo(root, parentOf(path), firm, made);
  const now = stat(join(root, path));
  if (typeof now === "string" || !now.isDirectory()) throw changed(path);
  firm.add(path);
};

const fits = (path: ByteString, before: Entry | null): boolean => {
  const now = statExactly(path);
  if (typeof now === "string") return before === null;
  if (before === null) return false;
  const mtime =
    BigInt(before.mtime.seconds) * 1_000_000_000n +
    BigInt(before.mtime.nanoseconds);
  switch (before.kind) {
    case "directory":
      return now.isDirectory();
    case "file":
      return (
        now.isFile() &&
        Number(now.size) === before.size &&
        now.mtimeNs === mtime
      );
    case "link":
      return (
        now.isSymbolicLink() &&
        now.mtimeNs === mtime &&
        targetOf(path) === before.target
      );
    case "fifo":
    case "socket":
    case "device":
      return !now.isFile() && !now.isDirectory() && !now.isSymbolicLink();
    case "unsaved":
      return false;
  }
};

const mountedMeanwhile = (path: ByteString): VaultFailure =>
  new VaultFailure(
    "changed",
    `${toText(path)} is a mount point, and was none when the restore was planned`,
  );

const changed = (path: ByteString): VaultFailure =>
  new VaultFailure(
    "changed",
    `${toText(path)} is not what it was when the restore was planned`,
  );
