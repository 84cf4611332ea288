/** Mount points in a workspace. What is mounted there belongs to somebody else, and is neither read nor touched. */
import { readFileSync, realpathSync } from "node:fs";
import { MOUNTINFO, parseMountinfo } from "../../kit/files/mountinfo.ts";
import { fsPath, isWithin, type ByteString } from "../format/byte-string.ts";
import { looked } from "./look.ts";

/** By their paths in the directory. Null where the system does not list its mounts. */
export type Mounts = ReadonlySet<ByteString> | null;

export const mountsWithin = (root: ByteString): Mounts => {
  // The list has real paths.
  const real = looked(() => realpathSync.native(fsPath(root), "latin1"));
  if (real === "gone" || real === "unreadable") return NONE;
  const list = looked(() => readFileSync(MOUNTINFO, "latin1"));
  if (list === "gone" || list === "unreadable") return null;
  const prefix = real === "/" ? "/" : `${real}/`;
  return new Set(
    parseMountinfo(list)
      .filter(({ path }) => path !== "/" && path.startsWith(prefix))
      .map(({ path }) => path.slice(prefix.length)),
  );
};

const NONE: ReadonlySet<ByteString> = new Set();

export const sameMounts = (a: Mounts, b: Mounts): boolean =>
  (a?.size ?? 0) === (b?.size ?? 0) &&
  [...(a ?? [])].every((path) => b?.has(path) === true);

/** The mount point that a path is, or lies beneath. */
export const mountAbove = (
  mounts: Mounts,
  path: ByteString,
): ByteString | undefined => {
  if (mounts === null || mounts.size === 0) return undefined;
  return [...mounts].find((mount) => isWithin(path, mount));
};
