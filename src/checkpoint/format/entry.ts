import type { ByteString } from "./byte-string.ts";
import type { Hash } from "./hash.ts";
import type { Xattrs } from "./xattr/xattrs.ts";

/** One name in a directory, with all that is restored about it. */
export type Entry =
  FileEntry | DirectoryEntry | LinkEntry | SpecialEntry | UnsavedEntry;

interface Named {
  name: ByteString;
  /** Permissions with setuid, setgid and sticky. */
  mode: number;
  mtime: Mtime;
  /** Absent when there are none. The root of a checkpoint has it at least empty, unless nobody looked for any. */
  xattrs?: Xattrs;
}

/** Seconds may be negative, nanoseconds are not. */
export interface Mtime {
  seconds: number;
  nanoseconds: number;
}

export interface FileEntry extends Named {
  kind: "file";
  size: number;
  content: Content;
  /** Files of one group are one file with several names. 0 for most, which have no other name. */
  group: bigint;
}

/** Nothing, one object, or the object that lists the pieces. */
export type Content =
  | { form: "empty" }
  | { form: "whole"; hash: Hash }
  | { form: "pieces"; hash: Hash };

export interface DirectoryEntry extends Named {
  kind: "directory";
  hash: Hash;
}

export interface LinkEntry extends Named {
  kind: "link";
  target: ByteString;
}

/** Noted. A FIFO is made again; a socket or a device is not. */
export interface SpecialEntry extends Named {
  kind: "fifo" | "socket" | "device";
}

/** Something was there that is not in the checkpoint. A restore leaves alone whatever bears this name. */
export interface UnsavedEntry extends Named {
  kind: "unsaved";
  reason: UnsavedReason;
}

export const unsavedReasons = [
  /** `.repriseignore` says so. */
  "ignored",
  /** The caller said so. */
  "asked",
  /** Larger than the limit. */
  "too_large",
  /** The system did not let us read it. */
  "unreadable",
  /** It changed each time it was read. */
  "unstable",
  /** Something is mounted there, which is not the workspace's. */
  "mounted",
] as const;
export type UnsavedReason = (typeof unsavedReasons)[number];

export type EntryKind = Entry["kind"];

/** A piece of a large file: an object, or a hole of so many zeros. */
export type Piece =
  | { kind: "data"; length: number; hash: Hash }
  | { kind: "hole"; length: number };

/** Larger files are stored in pieces of this size. */
export const PIECE = 1024 * 1024;

export const sameContent = (a: Content, b: Content): boolean =>
  a.form === "empty" || b.form === "empty"
    ? a.form === b.form
    : a.form === b.form && a.hash === b.hash;

export const sameMtime = (a: Mtime, b: Mtime): boolean =>
  a.seconds === b.seconds && a.nanoseconds === b.nanoseconds;
