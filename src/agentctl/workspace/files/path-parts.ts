/** What a path may be, before anything is looked at. Pure. */
import {
  byBytes,
  fromText,
  type ByteString,
} from "../../../checkpoint/format/byte-string.ts";
import { LinkError } from "../../../contract/link/link-error.ts";
import { MAX_PATH_BYTES } from "../../../contract/base/file-limits.ts";

/** The names on the way to a path of a workspace; none for the workspace itself. */
export const partsOf = (path: string): ByteString[] => {
  const bytes = fromText(path);
  if (bytes.length > MAX_PATH_BYTES)
    throw invalid(`A path has at most ${MAX_PATH_BYTES} bytes.`);
  if (bytes.includes("\0")) throw invalid("A path holds no NUL byte.");
  if (bytes.startsWith("/"))
    throw invalid("A path is relative to the workspace: it begins with no /.");
  const parts = namesIn(bytes);
  if (parts.includes(".."))
    throw invalid("A path goes down only: none of its names is `..`.");
  return parts;
};

/** The same for what has to be a file: the workspace itself is none, nor is what ends with a slash. */
export const filePartsOf = (path: string): ByteString[] => {
  const parts = partsOf(path);
  if (parts.length === 0) throw invalid("Name a file of the workspace.");
  if (path.endsWith("/") || path.endsWith("/."))
    throw new LinkError("not_a_file", "A path that ends with / is no file.");
  return parts;
};

/**
 * Where a link leads: names from the workspace's root on, `..` among them only behind another name. Null where it leads
 * out of the workspace.
 */
export const linkParts = (
  root: ByteString,
  directory: readonly ByteString[],
  target: ByteString,
): ByteString[] | null => {
  if (!target.startsWith("/")) return climbed(directory, namesIn(target));
  const inside = namesIn(root);
  const names = namesIn(target);
  return inside.every((name, at) => names[at] === name)
    ? climbed([], names.slice(inside.length))
    : null;
};

/** Takes back a directory for each `..` that the names begin with. */
export const climbed = (
  directory: readonly ByteString[],
  names: readonly ByteString[],
): ByteString[] | null => {
  const up = names.findIndex((name) => name !== "..");
  const count = up === -1 ? names.length : up;
  if (count > directory.length) return null;
  return [
    ...directory.slice(0, directory.length - count),
    ...names.slice(count),
  ];
};

export interface Named {
  name: ByteString;
  isDirectory: boolean;
}

/** Directories first, then by bytes. */
export const inOrder = (a: Named, b: Named): number =>
  Number(b.isDirectory) - Number(a.isDirectory) || byBytes(a.name, b.name);

/** Says where a page ended: the name, and whether it was a directory's. A page goes on behind it, whatever came or went. */
export const cursorOf = ({ name, isDirectory }: Named): string =>
  Buffer.from(`${isDirectory ? "d" : "f"}${name}`, "latin1").toString(
    "base64url",
  );

export const readCursor = (cursor: string): Named => {
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const kind = text[0];
  if ((kind !== "d" && kind !== "f") || text.length < 2)
    throw new LinkError("invalid_params", "That is no cursor of a listing.");
  return { name: text.slice(1), isDirectory: kind === "d" };
};

const namesIn = (path: ByteString): ByteString[] =>
  path.split("/").filter((name) => name !== "" && name !== ".");

const invalid = (message: string): LinkError =>
  new LinkError("path_invalid", message);
