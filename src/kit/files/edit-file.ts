/**
 * Changes a file that others may change at the same time, and keeps their changes.
 *
 *   lock ─► read ─► edit ─► write a draft ─► is the file as it was read? ─► rename the draft over it ─► unlock
 *                ▲                                        │ no
 *                └────────────────────────────────────────┘
 *
 * The lock is a directory `FILE.lock`, as programs have it that use `proper-lockfile`; Claude Code is one. Whoever does not
 * know it is found by the look before the rename.
 */
import { randomBytes } from "node:crypto";
import { chmod, mkdir, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { hasErrno } from "../errno.ts";
import {
  placeDurably,
  readIfThere,
  remove,
  removeEmpty,
  writeDraftOf,
} from "./durable-file.ts";

/** A lock is held for milliseconds. One that is older was left by a program that died. */
const STALE_MS = 10_000;
const LOOK_MS = 20;
/** How often a file may be changed by others while it is edited. */
const MAX_EDITS = 20;

export interface FileEdit {
  path: string;
  /** The new text; null when the file is to go, the same text when nothing is to change. Called again when others were faster. */
  edit: (text: string | null) => string | null | Promise<string | null>;
  /** How the file is read; null where there is none. */
  read?: (path: string) => Promise<string | null>;
  /** How long to wait for others. */
  withinMs?: number;
}

/** A link is followed and stays; who may read the file stays as it is. A new one is for its owner alone. `busy`: others do not let go of it. */
export const editFile = async ({
  path,
  edit,
  read = readIfThere,
  withinMs = 2 * STALE_MS,
}: FileEdit): Promise<"done" | "busy"> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const real = await realpath(path).catch((error: unknown) => {
    if (hasErrno(error, "ENOENT")) return path;
    throw error;
  });
  const lock = `${real}.lock`;
  if (!(await isLocked(lock, withinMs))) return "busy";
  try {
    for (let tries = 0; tries < MAX_EDITS; tries++) {
      const before = await read(real);
      const after = await edit(before);
      if (after === before || (await replaced(real, before, after, read)))
        return "done";
    }
    return "busy";
  } finally {
    await removeEmpty(lock);
  }
};

/** False when the file is another one than was read. */
const replaced = async (
  path: string,
  before: string | null,
  after: string | null,
  read: (path: string) => Promise<string | null>,
): Promise<boolean> => {
  const isAsRead = async () => (await read(path)) === before;
  if (after === null) {
    if (!(await isAsRead())) return false;
    await remove(path);
    return true;
  }
  const mode = before === null ? 0o600 : (await stat(path)).mode & 0o777;
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await writeDraftOf(draft, [after], mode);
    // The umask may have taken something away.
    await chmod(draft, mode);
    if (!(await isAsRead())) return false;
    await placeDurably(draft, path);
    return true;
  } finally {
    await remove(draft);
  }
};

const isLocked = async (lock: string, withinMs: number): Promise<boolean> => {
  const began = performance.now();
  for (;;) {
    if (await isMade(lock)) return true;
    if (performance.now() - began > withinMs) return false;
    const found = await stat(lock).catch(() => null);
    const isStale = found !== null && Date.now() - found.mtimeMs > STALE_MS;
    if (!isStale || !(await removeEmpty(lock))) await pause(LOOK_MS);
  }
};

const isMade = async (lock: string): Promise<boolean> => {
  try {
    await mkdir(lock, { mode: 0o700 });
    return true;
  } catch (error) {
    if (hasErrno(error, "EEXIST")) return false;
    throw error;
  }
};
