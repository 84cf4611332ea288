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
import { randomBytes } from "node:crypto";
import { crashPoint } from "../kit/crash-point.ts";
import { hasErrno } from "../kit/errno.ts";
import { fsPath, join, parentOf, type ByteString } from "./byte-string.ts";
import type { Mtime } from "./entry.ts";
import { DRAFT_PREFIX } from "./scan.ts";
import { makeFifo, setFileTime, setPathTime } from "./set-times.ts";
import { holding } from "./way.ts";

export interface Attributes {
  mode: number;
  mtime: Mtime;
}

/** Where a file is made: at its place when nothing can be lost there, beside it when something is to be replaced. */
export const draftFor = (path: ByteString, direct: boolean): ByteString =>
  direct
    ? path
    : join(parentOf(path), `${DRAFT_PREFIX}${randomBytes(6).toString("hex")}`);

/** Makes a file with this content. */
export const makeFile = (
  draft: ByteString,
  bytes: Uint8Array,
  attributes: Attributes,
): void => {
  const file = openSync(fsPath(draft), "wx", attributes.mode);
  try {
    writeAll(file, bytes, 0);
    finish(file, attributes);
  } finally {
    closeSync(file);
  }
  crashPoint("checkpoint.restore.written");
};

/** Makes a file piece by piece; what is not written is a hole. */
export class GrowingFile {
  readonly #file: number;

  constructor(draft: ByteString, mode: number, size: number) {
    this.#file = openSync(fsPath(draft), "wx", mode);
    ftruncateSync(this.#file, size);
  }

  put(bytes: Uint8Array, position: number): void {
    writeAll(this.#file, bytes, position);
    crashPoint("checkpoint.restore.written");
  }

  close(attributes: Attributes | null): void {
    try {
      if (attributes !== null) finish(this.#file, attributes);
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

export const makePipe = (
  draft: ByteString,
  { mode, mtime }: Attributes,
): boolean => {
  if (!makeFifo(draft, mode)) return false;
  changeMode(draft, mode);
  setPathTime(draft, mtime);
  return true;
};

/** Makes a draft and gives it its name; a draft that fails leaves nothing. */
export const place = (
  draft: ByteString,
  path: ByteString,
  make: () => void,
): void => {
  try {
    make();
    placeDraft(draft, path);
  } catch (error) {
    if (!hasErrno(error, "EEXIST")) removeEntry(draft, false);
    throw error;
  }
};

/** Gives a draft its name. */
export const placeDraft = (draft: ByteString, path: ByteString): void => {
  if (draft !== path) renameSync(fsPath(draft), fsPath(path));
  crashPoint("checkpoint.restore.placed");
};

/** Open to its owner alone until everything in it is there. */
export const makeDirectory = (path: ByteString): void => {
  mkdirSync(fsPath(path), { mode: 0o700 });
  crashPoint("checkpoint.restore.placed");
};

/** Lets its owner write in a directory that says otherwise. True when it had to be changed. */
export const openDirectory = (path: ByteString): boolean => {
  const { mode } = lstatSync(fsPath(path));
  if ((mode & 0o700) === 0o700) return false;
  changeMode(path, (mode & 0o7777) | 0o700);
  return true;
};

export const settle = (path: ByteString, { mode, mtime }: Attributes): void => {
  changeMode(path, mode);
  setPathTime(path, mtime);
  crashPoint("checkpoint.restore.settled");
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

const finish = (file: number, { mode, mtime }: Attributes): void => {
  // What `open` did not give: bits that the mask takes away, and those above the permissions.
  if ((mode & (UMASK | 0o7000)) !== 0) fchmodSync(file, mode);
  setFileTime(file, mtime);
};

const writeAll = (file: number, bytes: Uint8Array, position: number): void => {
  for (let done = 0; done < bytes.length;)
    done += writeSync(file, bytes, done, bytes.length - done, position + done);
};
