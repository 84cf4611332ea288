/** The only place where a restore touches the workspace. Everything here acts on names, never through links. */
import {
  chmodSync,
  closeSync,
  fchmodSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { crashPoint } from "../../kit/crash-point.ts";
import { hasErrno } from "../../kit/errno.ts";
import {
  fsPath,
  join,
  parentOf,
  type ByteString,
} from "../format/byte-string.ts";
import { draftFileName } from "../files/draft-name.ts";
import type { Entry, Mtime } from "../format/entry.ts";
import { makeFifo, setFileTime, setPathTime } from "./set-times.ts";
import { holding } from "../files/safe-path.ts";
import { giveXattrs } from "../format/xattr/give-xattrs.ts";
import { xattrCalls } from "../format/xattr/xattr-calls.ts";
import { NO_XATTRS, readXattrs, type Xattrs } from "../format/xattr/xattrs.ts";

export interface Attributes {
  mode: number;
  mtime: Mtime;
  /** Null leaves those that are there as they are. */
  xattrs: Xattrs | null;
}

export const attributesOf = (entry: Entry): Attributes => ({
  mode: entry.mode,
  mtime: entry.mtime,
  xattrs: entry.xattrs === NO_XATTRS ? "" : (entry.xattrs ?? ""),
});

/**
 * Where a file is made: at its place when nothing can be lost there, beside it when something may be replaced. Then it has
 * a name by the id of the restore.
 */
export const draftFor = (
  path: ByteString,
  restoreId: string | null,
): ByteString =>
  restoreId === null ? path : join(parentOf(path), draftFileName(restoreId));

/** Where something is made, and whether it gets an ACL from the directory that it is made in. */
export interface Site {
  draft: ByteString;
  inherits: boolean;
}

/** Makes a file with this content. False when it could not be given all its attributes. */
export const makeFile = (
  { draft, inherits }: Site,
  bytes: Uint8Array,
  attributes: Attributes,
): boolean => {
  const mode = modeAtFirst(attributes, inherits);
  const file = openSync(fsPath(draft), "wx", mode);
  let isComplete: boolean;
  try {
    writeAll(file, bytes, 0);
    isComplete = finish(file, attributes, inherits);
  } finally {
    closeSync(file);
  }
  crashPoint("checkpoint.restore.written");
  return isComplete;
};

/** Makes a file piece by piece; what is not written is a hole. */
export class GrowingFile {
  readonly #file: number;
  readonly #inherits: boolean;

  constructor({ draft, inherits }: Site, attributes: Attributes, size: number) {
    this.#inherits = inherits;
    const mode = modeAtFirst(attributes, inherits);
    this.#file = openSync(fsPath(draft), "wx", mode);
    ftruncateSync(this.#file, size);
  }

  put(bytes: Uint8Array, position: number): void {
    writeAll(this.#file, bytes, position);
    crashPoint("checkpoint.restore.written");
  }

  /** False when it could not be given all its attributes; null gives it none. */
  close(attributes: Attributes | null): boolean {
    try {
      return (
        attributes === null || finish(this.#file, attributes, this.#inherits)
      );
    } finally {
      closeSync(this.#file);
    }
  }
}

export const makeLink = (
  draft: ByteString,
  target: ByteString,
  mtime: Mtime,
): void => {
  symlinkSync(fsPath(target), fsPath(draft));
  setPathTime(draft, mtime);
};

/** Another name for a file that is there. */
export const makeName = (draft: ByteString, file: ByteString): void =>
  linkSync(fsPath(file), fsPath(draft));

/** Null when it cannot be made, and false when it could not be given all its attributes. */
export const makePipe = (
  { draft, inherits }: Site,
  attributes: Attributes,
): boolean | null => {
  if (!makeFifo(draft, modeAtFirst(attributes, inherits))) return null;
  return settle(draft, { ...attributes, xattrs: attributes.xattrs ?? "" });
};

/** Makes a draft and gives it its name; a draft that fails leaves nothing. */
export const putEntry = <T>(
  draft: ByteString,
  path: ByteString,
  make: () => T,
): T => {
  try {
    const made = make();
    putDraft(draft, path);
    return made;
  } catch (error) {
    if (!hasErrno(error, "EEXIST")) removeEntry(draft, false);
    throw error;
  }
};

/** Gives a draft its name. */
export const putDraft = (draft: ByteString, path: ByteString): void => {
  if (draft !== path) renameSync(fsPath(draft), fsPath(path));
  crashPoint("checkpoint.restore.placed");
};

/** Open to its owner alone until everything in it is there. What is made in it shall inherit nothing. */
export const makeDirectory = ({ draft: path, inherits }: Site): void => {
  mkdirSync(fsPath(path), { mode: 0o700 });
  if (inherits) giveXattrs(path, "", 0o700, xattrCalls());
  crashPoint("checkpoint.restore.placed");
};

/** Lets its owner write in a directory that says otherwise. True when it had to be changed. */
export const openDirectory = (path: ByteString): boolean => {
  const { mode } = lstatSync(fsPath(path));
  if ((mode & 0o700) === 0o700) return false;
  changeMode(path, (mode & 0o7777) | 0o700);
  return true;
};

/** False when it could not be given all its attributes. */
export const settle = (
  path: ByteString,
  { mode, mtime, xattrs }: Attributes,
): boolean => {
  const calls = xattrCalls();
  const isAsItWas =
    xattrs === null ||
    (calls === null ? "" : readXattrs(path, calls)) === xattrs;
  // Nobody gets in by a mode that belongs to an ACL, while there is another one or none.
  if (!isAsItWas) changeMode(path, mode & 0o700);
  const given = isAsItWas
    ? { mode, isComplete: true }
    : giveXattrs(path, xattrs, mode, calls);
  changeMode(path, given.mode);
  setPathTime(path, mtime);
  crashPoint("checkpoint.restore.settled");
  return given.isComplete;
};

/** A link has no mode of its own. */
export const settleLink = (path: ByteString, mtime: Mtime): void =>
  setPathTime(path, mtime);

/** False for a directory in which something is left. */
export const removeEntry = (
  path: ByteString,
  isDirectory: boolean,
): boolean => {
  try {
    if (isDirectory) rmdirSync(fsPath(path));
    else unlinkSync(fsPath(path));
  } catch (error) {
    if (hasErrno(error, "ENOTEMPTY", "EEXIST", "EBUSY")) return false;
    if (!hasErrno(error, "ENOENT")) throw error;
  }
  crashPoint("checkpoint.restore.removed");
  return true;
};

const changeMode = (path: ByteString, mode: number): void =>
  holding(path, (held) => chmodSync(fsPath(held), mode));

const UMASK = process.umask();

const isPlain = ({ xattrs }: Attributes, inherits: boolean): boolean =>
  !inherits && (xattrs ?? "") === "";

/** Nobody but its owner gets in before it has its ACL, or is rid of one that it inherited. */
const modeAtFirst = (attributes: Attributes, inherits: boolean): number =>
  isPlain(attributes, inherits) ? attributes.mode : attributes.mode & 0o700;

const finish = (
  file: number,
  attributes: Attributes,
  inherits: boolean,
): boolean => {
  const { mode, mtime, xattrs } = attributes;
  const plain = isPlain(attributes, inherits);
  const given = plain
    ? { mode, isComplete: true }
    : giveXattrs(file, xattrs ?? "", mode, xattrCalls());
  // What `open` did not give: bits that the mask takes away, and those above the permissions.
  if (!plain || (mode & (UMASK | 0o7000)) !== 0) fchmodSync(file, given.mode);
  setFileTime(file, mtime);
  return given.isComplete;
};

const writeAll = (file: number, bytes: Uint8Array, position: number): void => {
  for (let done = 0; done < bytes.length;)
    done += writeSync(file, bytes, done, bytes.length - done, position + done);
};
