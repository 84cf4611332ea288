import { Arena, forms, type FileRows } from "./arena.ts";
import { join, type ByteString } from "./byte-string.ts";
import { readSmall, readStable } from "./read-stable.ts";
import { remember } from "./remember.ts";
import type { Sink } from "./sink.ts";

/** Files to be read, and what a scan that began at `startedAt` saw of each. */
export interface FileBatch {
  root: ByteString;
  startedAt: number;
  /** Relative to the root. */
  paths: ByteString[];
  sizes: number[];
  /** In milliseconds. */
  mtimes: number[];
  ctimes: number[];
}

/** What is to be known of each file, in the same order; fewer when it was called off. */
export const readFiles = async (
  { root, startedAt, paths, sizes, mtimes, ctimes }: FileBatch,
  sink: Sink,
  isAborted: () => boolean,
): Promise<FileRows> => {
  const read = new Arena();
  for (const [at, name] of paths.entries()) {
    if (isAborted()) return read;
    const path = join(root, name);
    const seen = {
      size: sizes[at] ?? 0,
      mtimeMs: mtimes[at] ?? 0,
      ctimeMs: ctimes[at] ?? 0,
    };
    const reading =
      readSmall(path, sink, seen) ?? (await readStable(path, sink, isAborted));
    if (reading.kind === "aborted") return read;
    const row = read.add(1);
    if (reading.kind === "read") {
      const { content, stat } = reading;
      remember(read, row, stat, startedAt);
      read.form[row] = forms.indexOf(content.form);
      read.setHash(row, content.form === "empty" ? NOTHING : content.hash);
    } else read.setReason(row, reading.kind);
    await sink.pace();
  }
  return read;
};

const NOTHING = "0".repeat(64);
