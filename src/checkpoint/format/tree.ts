/** Directories and lists of pieces as bytes: docs/spec/checkpoint-format.md, "Trees". */
import { unreachable } from "../../kit/unreachable.ts";
import { byBytes, type ByteString } from "./byte-string.ts";
import {
  PIECE,
  type Content,
  type Entry,
  type EntryKind,
  type Piece,
  unsavedReasons,
  type UnsavedReason,
} from "./entry.ts";
import { ByteReader, ByteWriter } from "./wire.ts";
import { decodeXattrs, NO_XATTRS } from "./xattr/xattrs.ts";

const TREE = 0x54;
const PIECES = 0x50;

const kinds: readonly EntryKind[] = [
  "file",
  "directory",
  "link",
  "fifo",
  "socket",
  "device",
  "unsaved",
];
const forms: readonly Content["form"][] = ["empty", "whole", "pieces"];
/** Of the byte that says the kind. */
const WITH_XATTRS = 0x80;

/** Entries must be sorted by name. */
export const encodeTree = (entries: readonly Entry[]): Uint8Array => {
  const out = new ByteWriter(64 + entries.length * 96);
  out.u8(TREE);
  out.u32(entries.length);
  for (const entry of entries) encodeEntry(out, entry);
  return out.bytes();
};

export const decodeTree = (bytes: Uint8Array): Entry[] => {
  const from = new ByteReader(bytes);
  if (from.u8() !== TREE) throw from.damage("it is no directory");
  const count = from.u32();
  const entries: Entry[] = [];
  let last: ByteString | null = null;
  for (let i = 0; i < count; i++) {
    const entry = decodeEntry(from);
    if (!isName(entry.name)) throw from.damage("a name that no file can have");
    if (last !== null && byBytes(last, entry.name) >= 0)
      throw from.damage("names out of order");
    last = entry.name;
    entries.push(entry);
  }
  from.end();
  return entries;
};

/**
 * A checkpoint: the directory itself, as an entry without a name, so that its own mode and time are kept.
 * The hash of these bytes is the hash of the checkpoint.
 */
export const encodeRoot = (entry: Entry): Uint8Array => encodeTree([entry]);

export const decodeRoot = (
  bytes: Uint8Array,
): Entry & { kind: "directory" } => {
  const from = new ByteReader(bytes);
  if (from.u8() !== TREE || from.u32() !== 1)
    throw from.damage("it is no checkpoint");
  const entry = decodeEntry(from);
  from.end();
  if (entry.kind !== "directory" || entry.name !== "")
    throw from.damage("it is no checkpoint");
  return entry;
};

export const encodePieces = (pieces: readonly Piece[]): Uint8Array => {
  const out = new ByteWriter(16 + pieces.length * 40);
  out.u8(PIECES);
  out.u32(pieces.length);
  for (const piece of pieces) {
    out.u8(piece.kind === "hole" ? 0 : 1);
    out.u32(piece.length);
    if (piece.kind === "data") out.hash(piece.hash);
  }
  return out.bytes();
};

export const decodePieces = (bytes: Uint8Array): Piece[] => {
  const from = new ByteReader(bytes);
  if (from.u8() !== PIECES) throw from.damage("it is no list of pieces");
  const count = from.u32();
  const pieces: Piece[] = [];
  for (let i = 0; i < count; i++) {
    const isData = from.u8() === 1;
    const length = from.u32();
    if (length === 0 || length > PIECE)
      throw from.damage("a piece of a wrong size");
    pieces.push(
      isData
        ? { kind: "data", length, hash: from.hash() }
        : { kind: "hole", length },
    );
  }
  from.end();
  return pieces;
};

/** One name of one directory: no way up, no way down, no end of a string. */
export const isName = (name: ByteString): boolean =>
  name !== "" &&
  name !== "." &&
  name !== ".." &&
  !name.includes("/") &&
  !name.includes("\0");

const encodeEntry = (out: ByteWriter, entry: Entry): void => {
  const { xattrs } = entry;
  const kind = kinds.indexOf(entry.kind);
  out.u8(xattrs === undefined ? kind : kind | WITH_XATTRS);
  encodeKind(out, entry);
  if (xattrs !== undefined) out.text(xattrs);
};

const encodeKind = (out: ByteWriter, entry: Entry): void => {
  out.text(entry.name);
  out.u32(entry.mode);
  out.i64(entry.mtime.seconds);
  out.u32(entry.mtime.nanoseconds);
  switch (entry.kind) {
    case "file":
      out.i64(entry.size);
      out.u64(entry.group);
      out.u8(forms.indexOf(entry.content.form));
      if (entry.content.form !== "empty") out.hash(entry.content.hash);
      return;
    case "directory":
      out.hash(entry.hash);
      return;
    case "link":
      out.text(entry.target);
      return;
    case "unsaved":
      out.u8(unsavedReasons.indexOf(entry.reason));
      return;
    case "fifo":
    case "socket":
    case "device":
      return;
    default:
      unreachable(entry);
  }
};

const decodeEntry = (from: ByteReader): Entry => {
  const first = from.u8();
  const entry = decodeKind(from, kinds[first & ~WITH_XATTRS]);
  if ((first & WITH_XATTRS) === 0) return entry;
  const xattrs = from.text();
  const { kind, name } = entry;
  const isPossible =
    (kind === "file" || kind === "directory" || kind === "fifo") &&
    (xattrs !== NO_XATTRS || name === "");
  if (!isPossible) throw from.damage("attributes that cannot be");
  decodeXattrs(xattrs);
  return { ...entry, xattrs };
};

const decodeKind = (from: ByteReader, kind: EntryKind | undefined): Entry => {
  const name = from.text();
  const mode = from.u32();
  const mtime = { seconds: from.i64(), nanoseconds: from.u32() };
  if (mode > 0o7777 || mtime.nanoseconds > 999_999_999)
    throw from.damage("an entry with impossible attributes");
  switch (kind) {
    case "file":
      return { kind, name, mode, mtime, ...decodeFile(from) };
    case "directory":
      return { kind, name, mode, mtime, hash: from.hash() };
    case "link":
      return { kind, name, mode, mtime, target: from.text() };
    case "unsaved":
      return { kind, name, mode, mtime, reason: decodeReason(from) };
    case "fifo":
    case "socket":
    case "device":
      return { kind, name, mode, mtime };
    case undefined:
      throw from.damage("an entry of an unknown kind");
    default:
      return unreachable(kind);
  }
};

const decodeFile = (
  from: ByteReader,
): { size: number; group: bigint; content: Content } => {
  const size = from.i64();
  const group = from.u64();
  const form = forms[from.u8()];
  if (size < 0 || form === undefined) throw from.damage("a file without form");
  if ((form === "empty") !== (size === 0) || (form === "whole" && size > PIECE))
    throw from.damage("a file whose size does not fit its form");
  return {
    size,
    group,
    content: form === "empty" ? { form } : { form, hash: from.hash() },
  };
};

const decodeReason = (from: ByteReader): UnsavedReason => {
  const reason = unsavedReasons[from.u8()];
  if (reason === undefined) throw from.damage("an unknown reason");
  return reason;
};
