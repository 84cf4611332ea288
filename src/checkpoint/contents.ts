import type { Arena } from "./arena.ts";
import { forms } from "./arena.ts";
import { join, type ByteString } from "./byte-string.ts";
import { readSmall, readStable } from "./read-stable.ts";
import { remember } from "./remember.ts";
import type { Scan } from "./scan.ts";
import type { Sink } from "./sink.ts";

/** Reads the files that a scan found to be new or changed. */
export const readContents = async (options: {
  root: ByteString;
  arena: Arena;
  scan: Scan;
  sink: Sink;
  startedAt: number;
  isAborted: () => boolean;
}): Promise<void> => {
  const { root, arena, scan, sink, startedAt, isAborted } = options;
  const { size, mtime, ctime } = scan.seen;
  for (const [at, row] of scan.files.entries()) {
    if (isAborted()) return;
    const path = join(root, arena.path(row));
    const seen = {
      size: size[at] ?? 0,
      mtimeMs: mtime[at] ?? 0,
      ctimeMs: ctime[at] ?? 0,
    };
    const reading =
      readSmall(path, sink, seen) ?? (await readStable(path, sink, isAborted));
    if (reading.kind === "aborted") return;
    const before = arena.isKnown(row) ? fingerprint(arena, row) : null;
    arena.children[row] = 0;
    if (reading.kind === "read") {
      const { content, stat } = reading;
      remember(arena, row, stat, startedAt);
      arena.setReason(row, null);
      arena.form[row] = forms.indexOf(content.form);
      arena.setHash(row, content.form === "empty" ? NOTHING : content.hash);
    } else {
      arena.forget(row);
      arena.mode[row] = 0;
      arena.setReason(row, reading.kind);
    }
    scan.touched = true;
    if (fingerprint(arena, row) !== before)
      scan.directories.add(arena.parent[row] ?? 0);
    await sink.pace();
  }
};

const NOTHING = "0".repeat(64);

/** What a tree says of a file, so that one that was only looked at again changes nothing. */
const fingerprint = (arena: Arena, row: number): string =>
  [
    arena.mode[row],
    arena.seconds[row],
    arena.nanoseconds[row],
    arena.size[row],
    arena.form[row],
    arena.isKnown(row),
    arena.reason(row),
    arena.hash(row),
  ].join();
