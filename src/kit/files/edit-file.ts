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
import { chmod, mkdir, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
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
  /** After how long a lock on which nothing happens was left behind. */
  staleMs?: number;
}

/** Why the file was not changed, and what to do about it, in whole sentences. */
export interface NotEdited {
  why: string;
}

/** A link is followed and stays; who may read the file stays as it is. A new one is for its owner alone. */
export const editFile = async ({
  path,
  edit,
  read = readIfThere,
  withinMs = 2 * STALE_MS,
  staleMs = STALE_MS,
}: FileEdit): Promise<"done" | NotEdited> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const real = await followLink(path);
  if (typeof real !== "string") return real;
  const lock = `${real}.lock`;
  if (!(await isLocked(lock, withinMs, staleMs)))
    return {
      why: `${path} is locked by another program: ${lock} is there and stays. If no program is changing the file, remove ${lock}; then try again.`,
    };
  try {
    for (let tries = 0; tries < MAX_EDITS; tries++) {
      const before = await read(real);
      const after = await edit(before);
      if (after === before || (await replaced(real, before, after, read)))
        return "done";
    }
    return { why: `${path} is being changed by another program. Try again.` };
  } finally {
    await removeEmpty(lock);
  }
};

/** As many as Linux follows. */
const MAX_LINKS = 40;

/** The path behind all links, also where there is no file yet; else why there can be none, in whole sentences. */
const followLink = async (path: string): Promise<string | NotEdited> => {
  let at = path;
  for (let links = 0; links < MAX_LINKS; links += 1) {
    try {
      return await realpath(at);
    } catch (error) {
      if (hasErrno(error, "ELOOP")) break;
      if (!hasErrno(error, "ENOENT")) throw error;
    }
    const directory = await orNull(realpath(dirname(at)));
    if (directory === null)
      return {
        why: `${path} is a link to ${at}, and ${dirname(at)} is not there. Make that directory, or remove the link.`,
      };
    const target = await orNull(readlink(at));
    if (target === null) return join(directory, basename(at));
    at = resolve(directory, target);
  }
  return { why: whyLoop(path) };
};

export const whyLoop = (path: string): string =>
  `${path} is a link that leads back to itself. Remove it, or let it lead to a file.`;

const orNull = async (asked: Promise<string>): Promise<string | null> => {
  try {
    return await asked;
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return null;
    throw error;
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

const isLocked = async (
  lock: string,
  withinMs: number,
  staleMs: number,
): Promise<boolean> => {
  const began = performance.now();
  let seen = { mtimeMs: Number.NaN, since: began };
  for (;;) {
    if (await isMade(lock)) return true;
    const now = performance.now();
    if (now - began > withinMs) return false;
    const mtimeMs = (await stat(lock).catch(() => null))?.mtimeMs ?? Number.NaN;
    if (mtimeMs !== seen.mtimeMs) seen = { mtimeMs, since: now };
    // Its clock may be ahead of ours: then it counts for how long nothing has happened to it.
    const isStale =
      Date.now() - mtimeMs > staleMs || now - seen.since > staleMs;
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
