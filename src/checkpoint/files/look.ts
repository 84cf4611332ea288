import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  type BigIntStats,
  type Stats,
} from "node:fs";
import { hasErrno } from "../../kit/errno.ts";
import { fsPath, type ByteString } from "../format/byte-string.ts";
import { xattrCalls, type Target } from "../format/xattr/xattr-calls.ts";
import { readXattrs, type Xattrs } from "../format/xattr/xattrs.ts";

/** What the system says, or why it does not. Never follows a link. */
export type Look<T> = T | "gone" | "unreadable";

const QUIETLY = { throwIfNoEntry: false } as const;
const EXACTLY = { throwIfNoEntry: false, bigint: true } as const;
/** A name may become a FIFO or a link between two looks: nobody waits for one, nobody follows the other. */
const OPEN = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export const stat = (path: ByteString): Look<Stats> =>
  looked(() => lstatSync(fsPath(path), QUIETLY) ?? "gone");

/** With nanoseconds: three times as slow. */
export const statExactly = (path: ByteString): Look<BigIntStats> =>
  looked(() => lstatSync(fsPath(path), EXACTLY) ?? "gone");

/** In the order in which the system tells them. */
export const namesIn = (path: ByteString): Look<ByteString[]> =>
  looked(() => readdirSync(fsPath(path), "latin1"));

export const targetOf = (path: ByteString): Look<ByteString> =>
  looked(() => readlinkSync(fsPath(path), "latin1"));

export interface OpenFile {
  /** For what Node has no function for. */
  readonly descriptor: number;
  /** Goes on until so many bytes are there; there may be more if there is room. Fewer when the file ends before. */
  read(into: Buffer, enough: number, position: number): number;
  stat(): BigIntStats;
  /** Asked for before the last look at its times, so that they are of the same moment as its content. */
  xattrs(): Xattrs;
  close(): void;
}

export const openFile = (path: ByteString): Look<OpenFile> =>
  looked(() => {
    const file = openSync(fsPath(path), OPEN);
    return {
      descriptor: file,
      read: (into, enough, position) => {
        let have = 0;
        for (;;) {
          const room = into.length - have;
          const got = readSync(file, into, have, room, position + have);
          have += got;
          if (got === 0 || have >= enough) return have;
        }
      },
      stat: () => fstatSync(file, { bigint: true }),
      xattrs: () => xattrsOf(file),
      close: () => closeSync(file),
    };
  });

/** Extended attributes of what a checkpoint keeps; empty when there are none, or none can be had here. */
export const xattrsOf = (target: Target): Xattrs => {
  const calls = xattrCalls();
  return calls === null ? "" : readXattrs(target, calls);
};

/** Two are what a FIFO and a directory answer; the last one is a path so long that the system does not take it. */
const UNREADABLE = [
  "ESPIPE",
  "EISDIR",
  "EACCES",
  "EPERM",
  "EIO",
  "ESTALE",
  "EINVAL",
  "ENAMETOOLONG",
] as const;

export const looked = <T>(look: () => Look<T>): Look<T> => {
  try {
    return look();
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR", "ELOOP", "ENXIO")) return "gone";
    if (hasErrno(error, ...UNREADABLE)) return "unreadable";
    throw error;
  }
};
