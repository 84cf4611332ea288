import { Arena, forms, type FileRows } from "../trees/arena.ts";
import type { ByteString } from "../format/byte-string.ts";
import {
  readSmall,
  readStable,
  type Reading,
  type Seen,
  type Target,
} from "./read-stable.ts";
import { noteRace, remember } from "./remember.ts";
import type { Sink } from "../packs/sink.ts";
import type { Doubts } from "./unseen-changes.ts";
import { SafePath } from "../files/safe-path.ts";

/** Files to be read, and what a scan that began at `startedAt` saw of each. */
export interface FileBatch {
  root: ByteString;
  startedAt: number;
  /** The newest time that the scan had seen when they were given away. */
  newest: number;
  /** Relative to the root. */
  paths: ByteString[];
  sizes: number[];
  /** In milliseconds. */
  mtimes: number[];
  ctimes: number[];
}

/** What is to be known of each file, in the same order; fewer when it was called off. */
export const readFiles = async (
  batch: FileBatch,
  doubts: Doubts,
  sink: Sink,
  isAborted: () => boolean,
): Promise<FileRows> => {
  const safePath = new SafePath(batch.root);
  try {
    return await readAlong(safePath, batch, doubts, sink, isAborted);
  } finally {
    safePath.close();
  }
};

const readAlong = async (
  safePath: SafePath,
  { startedAt, newest, paths, sizes, mtimes, ctimes }: FileBatch,
  doubts: Doubts,
  sink: Sink,
  isAborted: () => boolean,
): Promise<FileRows> => {
  const read = new Arena();
  for (const [at, path] of paths.entries()) {
    if (isAborted()) return read;
    const seen = {
      size: sizes[at] ?? 0,
      mtimeMs: mtimes[at] ?? 0,
      ctimeMs: ctimes[at] ?? 0,
    };
    const found = safePath.find(path);
    const target = found === null ? null : { at: found, path, doubts };
    const reading = await readAt(target, sink, seen, isAborted);
    if (reading.kind === "aborted") return read;
    const row = read.add(1);
    if (reading.kind === "read") {
      const { content, stat, isOpen, xattrs } = reading;
      remember(read, row, stat);
      noteRace(read, row, { startedAt, newest, now: Date.now });
      read.setOpen(row, isOpen);
      read.setXattrs(row, xattrs);
      read.form[row] = forms.indexOf(content.form);
      read.setHash(row, content.form === "empty" ? NOTHING : content.hash);
    } else read.setReason(row, reading.kind);
    await sink.pace();
  }
  return read;
};

const readAt = async (
  target: Target | null,
  sink: Sink,
  seen: Seen,
  isAborted: () => boolean,
): Promise<Reading> => {
  if (target === null) return { kind: "gone" };
  return (
    readSmall(target, sink, seen) ?? (await readStable(target, sink, isAborted))
  );
};

const NOTHING = "0".repeat(64);
