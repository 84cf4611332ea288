import { readdirSync, type BigIntStats, type Dirent } from "node:fs";
import {
  fromText,
  fsPath,
  type ByteString,
} from "../../../checkpoint/format/byte-string.ts";
import { LinkError } from "../../../contract/link/link-error.ts";
import type {
  DirectoryPage,
  FileEntry,
} from "../../../contract/session/workspace-file.ts";
import type { FileCalls } from "./file-calls.ts";
import { timeOf } from "./file-state.ts";
import { holdIn, pathError, targetIn, type Held } from "./held.ts";
import { named } from "./named.ts";
import { cursorOf, inOrder, partsOf, readCursor } from "./path-parts.ts";
import { walk } from "./walk.ts";

/** A page of the names in a directory. Only those on the page are looked at. */
export const listDirectory = ({
  cwd,
  path,
  after,
  limit,
}: FileCalls["list"]["query"]): DirectoryPage => {
  const found = walk(fromText(cwd), partsOf(path));
  try {
    const { held, above, names } = found;
    if (held === null)
      throw new LinkError("path_not_found", "There is nothing at this path.");
    if (!held.stat.isDirectory())
      throw new LinkError("not_a_directory", "The path is not a directory.");
    const all = namesIn(held);
    const behind = after === undefined ? null : readCursor(after);
    const rest = all.filter(
      (each) => behind === null || inOrder(each, behind) > 0,
    );
    const page = rest.slice(0, limit);
    const last = page.at(-1);
    return {
      ...named("path", [...above, ...names].join("/")),
      entries: page.flatMap(({ name }) => entryIn(held, name) ?? []),
      next: rest.length > limit && last !== undefined ? cursorOf(last) : null,
    };
  } finally {
    found.close();
  }
};

const namesIn = (directory: Held) => {
  let entries: Dirent<Buffer>[];
  try {
    const options = { withFileTypes: true, encoding: "buffer" } as const;
    entries = readdirSync(fsPath(`${directory.path}/.`), options);
  } catch (error) {
    throw pathError(error);
  }
  return entries
    .map((entry) => ({
      name: entry.name.toString("latin1"),
      isDirectory: entry.isDirectory(),
    }))
    .sort(inOrder);
};

/** Null where it is gone, or another kind of thing, since the directory was read. */
const entryIn = (directory: Held, name: ByteString): FileEntry | null => {
  try {
    const held = holdIn(directory, name);
    if (held === null) return null;
    held.close();
    const { stat } = held;
    const kind = kindOf(stat);
    return {
      ...named("name", name),
      kind,
      size: Number(stat.size),
      modified_at: timeOf(stat.mtimeMs),
      executable: kind === "file" && (stat.mode & 0o100n) !== 0n,
      ...(kind === "link" && named("target", targetIn(directory, name))),
    };
  } catch (error) {
    if (error instanceof LinkError && error.code === "path_not_found")
      return null;
    throw error;
  }
};

const kindOf = (stat: BigIntStats): FileEntry["kind"] => {
  if (stat.isFile()) return "file";
  if (stat.isDirectory()) return "directory";
  return stat.isSymbolicLink() ? "link" : "other";
};
