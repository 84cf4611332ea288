/** Opening a file of a workspace, and putting another in its place. In a thread: all of it waits for the disk. */
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
} from "node:fs";
import {
  fromText,
  fsPath,
  join,
  type ByteString,
} from "../../../checkpoint/format/byte-string.ts";
import { LinkError } from "../../../contract/link/link-error.ts";
import type { WriteFile } from "../../../contract/link/link-files.ts";
import type { FileState } from "../../../contract/session/workspace-file.ts";
import { hasErrno } from "../../../kit/errno.ts";
import { placeIn } from "../../../kit/files/durable-file.ts";
import type { FileCalls } from "./file-calls.ts";
import { checkWrite, isText, sentOf, stateOf } from "./file-state.ts";
import { holdIn, notAFile, openHeld, pathError, type Held } from "./held.ts";
import { named } from "./named.ts";
import { filePartsOf, partsOf } from "./path-parts.ts";
import { walk, type Found } from "./walk.ts";

const SNIFFED = 8192;

export const openFile = (
  order: FileCalls["open"]["query"],
): FileCalls["open"]["answer"] => {
  const found = walk(fromText(order.cwd), partsOf(order.path));
  try {
    const { held } = found;
    if (held === null)
      throw new LinkError("path_not_found", "There is nothing at this path.");
    if (held.stat.isDirectory())
      return { head: { kind: "directory" }, descriptor: null };
    if (order.path.endsWith("/"))
      throw new LinkError("not_a_directory", "The path is not a directory.");
    return opened(order, openHeld(held));
  } finally {
    found.close();
  }
};

const opened = (
  order: FileCalls["open"]["query"],
  descriptor: number,
): FileCalls["open"]["answer"] => {
  let isHandedOn = false;
  try {
    // Before its bytes are read: whoever comes with this etag later is told of everything that happened since.
    const state = stateOf(fstatSync(descriptor, { bigint: true }));
    const first = Buffer.alloc(SNIFFED);
    const got = readSync(descriptor, first, 0, SNIFFED, 0);
    const sent = sentOf(order, state);
    isHandedOn = sent.length > 0;
    const text = isText(first.subarray(0, got));
    return {
      head: { kind: "file", ...state, text, ...sent },
      descriptor: isHandedOn ? descriptor : null,
    };
  } finally {
    if (!isHandedOn) closeSync(descriptor);
  }
};

/** Holds a directory for somebody who works in it. */
export const holdDirectory = ({
  cwd,
  path,
}: FileCalls["hold"]["query"]): FileCalls["hold"]["answer"] => {
  const found = walk(fromText(cwd), partsOf(path));
  const { held, directory, above, names } = found;
  if (held?.stat.isDirectory() !== true) {
    found.close();
    throw held === null
      ? new LinkError("path_not_found", "There is nothing at this path.")
      : new LinkError("not_a_directory", "The path is not a directory.");
  }
  if (held !== directory) directory.close();
  return {
    directory: { path: held.path, descriptor: held.descriptor },
    above: named("path", [...above, ...names].join("/")).path,
  };
};

/** Holds the directory in which the file is made until it is whole. Nothing is changed yet. */
export const prepareWrite = (
  order: WriteFile,
): FileCalls["prepare"]["answer"] => {
  const found = walk(fromText(order.cwd), filePartsOf(order.path));
  try {
    checkTarget(order, found);
  } catch (error) {
    found.close();
    throw error;
  }
  found.held?.close();
  const { path, descriptor } = found.directory;
  return {
    directory: { path, descriptor },
    above: named("path", found.above.join("/")).path,
  };
};

/** Puts a draft, which is whole and on the disk, where the file is to be. */
export const commitWrite = async ({
  order,
  draft,
}: FileCalls["commit"]["query"]): Promise<FileCalls["commit"]["answer"]> => {
  // Once more: directories may have been swapped while the content came.
  const found = walk(fromText(order.cwd), filePartsOf(order.path));
  const made: Held[] = [];
  try {
    checkTarget(order, found);
    let into = found.directory;
    for (const each of found.names.slice(0, -1))
      made.push((into = makeIn(into, each)));
    const state = await placed(draft, into, found);
    return {
      ...state,
      ...named("path", [...found.above, ...found.names].join("/")),
      created: found.held === null,
    };
  } catch (error) {
    throw hasErrno(error, "EXDEV") ? replaced() : pathError(error);
  } finally {
    for (const each of made) each.close();
    found.close();
  }
};

const placed = async (
  draft: string,
  directory: Held,
  { held, names }: Found,
): Promise<FileState> => {
  const from = fsPath(fromText(draft));
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW;
  const opened = openSync(from, flags);
  try {
    likeBefore(held, opened);
    const to = fsPath(join(directory.path, names.at(-1) ?? ""));
    await placeIn(fsPath(`${directory.path}/.`), from, to);
    return stateOf(fstatSync(opened, { bigint: true }));
  } finally {
    closeSync(opened);
  }
};

const checkTarget = (order: WriteFile, { held }: Found): void => {
  checkWrite(order, held === null ? null : stateOf(held.stat).etag);
  if (held !== null && !held.stat.isFile()) throw notAFile(held.stat);
};

/** The new file may be read and run by whom the old one might be. */
const likeBefore = (before: Held | null, draft: number): void => {
  if (before === null) return fchmodSync(draft, 0o666 & ~process.umask());
  const { mode, uid, gid } = before.stat;
  try {
    fchownSync(draft, Number(uid), Number(gid));
  } catch (error) {
    // Only root may give a file away.
    if (!hasErrno(error, "EPERM", "EINVAL")) throw error;
  }
  fchmodSync(draft, Number(mode) & 0o777);
};

const makeIn = (directory: Held, name: ByteString): Held => {
  try {
    mkdirSync(fsPath(join(directory.path, name)));
  } catch (error) {
    if (!hasErrno(error, "EEXIST")) throw error;
  }
  const held = holdIn(directory, name);
  if (held?.stat.isDirectory() === true) return held;
  held?.close();
  throw replaced();
};

const replaced = (): LinkError =>
  new LinkError(
    "path_not_found",
    "A directory on the way was replaced meanwhile. Nothing was written: try again.",
  );
