import type { BigIntStats } from "node:fs";
import type { ByteString } from "../format/byte-string.ts";
import {
  PIECE,
  sameContent,
  type Content,
  type Piece,
} from "../format/entry.ts";
import { msOf } from "./remember.ts";
import { looked, openFile, type OpenFile } from "../files/look.ts";
import type { Sink } from "../packs/sink.ts";
import { encodePieces } from "../format/tree.ts";
import type { Doubts } from "./unseen-changes.ts";
import type { Xattrs } from "../format/xattr/xattrs.ts";

/** A file that is being written is read so often, and then called unstable. */
const TRIES = 3;

export type Reading =
  | {
      kind: "read";
      content: Content;
      stat: BigIntStats;
      xattrs: Xattrs;
      /** Somebody had it open for writing. */
      isOpen: boolean;
    }
  | { kind: "gone" | "unreadable" | "unstable" | "aborted" };

/** A file to be read: where it can be opened, its path in the workspace, and what may happen to it. */
export interface Target {
  at: ByteString;
  path: ByteString;
  doubts: Doubts;
}

/** What was seen of a file a moment ago. */
export interface Seen {
  size: number;
  mtimeMs: number;
  ctimeMs: number;
}

/** The quick way for most files: null when it is not small, not what was seen, or may change meanwhile. */
export const readSmall = (
  { at, path, doubts }: Target,
  sink: Sink,
  seen: Seen,
): Reading | null => {
  if (seen.size > PIECE || doubts.isYoung(seen)) return null;
  const file = openFile(at);
  if (file === "gone" || file === "unreadable") return { kind: file };
  try {
    if (doubts.isOpen(file, path)) return null;
    const content = readWhole(file, sink, seen.size);
    if (typeof content === "string") return null;
    const xattrs = file.xattrs();
    const stat = file.stat();
    const isSame =
      stat.isFile() &&
      Number(stat.size) === seen.size &&
      msOf(stat.mtimeNs) === seen.mtimeMs &&
      msOf(stat.ctimeNs) === seen.ctimeMs;
    return isSame
      ? { kind: "read", content, stat, xattrs, isOpen: false }
      : null;
  } finally {
    file.close();
  }
};

/** The content of a file as it was at one moment: what was the same before and after reading. */
export const readStable = async (
  target: Target,
  sink: Sink,
  isAborted: () => boolean,
): Promise<Reading> => {
  for (let left = TRIES; left > 0; left--) {
    const file = openFile(target.at);
    if (file === "gone" || file === "unreadable") return { kind: file };
    try {
      const reading = await readOnce(file, target, sink, isAborted);
      if (reading.kind !== "unstable") return reading;
    } finally {
      file.close();
    }
  }
  return { kind: "unstable" };
};

const readOnce = async (
  file: OpenFile,
  { path, doubts }: Target,
  sink: Sink,
  isAborted: () => boolean,
): Promise<Reading> => {
  const before = file.stat();
  // Something else has taken the name: the next checkpoint sees what.
  if (!before.isFile()) return { kind: "unstable" };
  const isOpen = doubts.isOpen(file, path);
  const size = Number(before.size);
  const content = await readAll(file, sink, size, isAborted);
  if (typeof content === "string") return { kind: content };
  // Where times may not show a change, the content has to: what is the same twice was so in between.
  if (isOpen || doubts.isYoung(inMs(before))) {
    const again = await readAll(file, sink, size, isAborted);
    if (typeof again === "string") return { kind: again };
    if (!sameContent(content, again)) return { kind: "unstable" };
  }
  const xattrs = file.xattrs();
  const after = file.stat();
  const same =
    after.size === before.size &&
    after.mtimeNs === before.mtimeNs &&
    after.ctimeNs === before.ctimeNs;
  return same
    ? { kind: "read", content, stat: after, xattrs, isOpen }
    : { kind: "unstable" };
};

const inMs = ({ mtimeNs, ctimeNs }: BigIntStats) => ({
  mtimeMs: msOf(mtimeNs),
  ctimeMs: msOf(ctimeNs),
});

type Failed = "unstable" | "unreadable" | "aborted";

const readAll = (
  file: OpenFile,
  sink: Sink,
  size: number,
  isAborted: () => boolean,
): Content | Failed | Promise<Content | Failed> =>
  size <= PIECE
    ? readWhole(file, sink, size)
    : readPieces(file, sink, size, isAborted);

const readWhole = (
  file: OpenFile,
  sink: Sink,
  size: number,
): Content | Failed => {
  // One byte more shows whether it has grown.
  const length = looked(() => file.read(sink.room(size + 1), size, 0));
  if (typeof length === "string") return "unreadable";
  if (length !== size) return "unstable";
  return size === 0
    ? { form: "empty" }
    : { form: "whole", hash: sink.keep(size) };
};

const readPieces = async (
  file: OpenFile,
  sink: Sink,
  size: number,
  isAborted: () => boolean,
): Promise<Content | Failed> => {
  const pieces: Piece[] = [];
  for (let at = 0; at < size; at += PIECE) {
    if (isAborted()) return "aborted";
    const length = Math.min(PIECE, size - at);
    const room = sink.room(length);
    const got = looked(() => file.read(room, length, at));
    if (typeof got === "string") return "unreadable";
    if (got !== length) return "unstable";
    pieces.push(
      isZero(room.subarray(0, length))
        ? { kind: "hole", length }
        : { kind: "data", length, hash: sink.keep(length) },
    );
    await sink.pace();
  }
  return { form: "pieces", hash: sink.add("pieces", encodePieces(pieces)) };
};

const ZEROS = Buffer.alloc(PIECE);

const isZero = (bytes: Buffer): boolean =>
  bytes[0] === 0 && bytes.equals(ZEROS.subarray(0, bytes.length));
