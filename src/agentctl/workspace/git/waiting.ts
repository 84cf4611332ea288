/**
 * Git opens its own files without a look at what they are, and waits for ever for a FIFO. A repository has thousands of
 * files, so nobody looks at all of them before each git: only one that takes long is looked after.
 */
import type { ChildProcess } from "node:child_process";
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  commonDirectoryOf,
  gitDirectoryOf,
  repositoryAbove,
  type Where,
} from "./find-repository.ts";

const LOOK_AFTER_MS = 1000;
/** So many files are looked at. Beyond them git's own deadline holds. */
const MAX_FILES = 100_000;

export interface Watch {
  /** Why git was stopped; null when it was not. */
  readonly reason: () => string | null;
  end(): void;
}

/** Stops a git that takes long where a FIFO lies among its files. */
export const watchForFifos = (where: Where, child: ChildProcess): Watch => {
  let reason: string | null = null;
  let isOver = false;
  const look = async (): Promise<void> => {
    const path = await fifoOf(where);
    if (path === null || isOver) return;
    reason = `${path} is no plain file, and git would wait for it for ever`;
    child.kill("SIGKILL");
  };
  const timer = setTimeout(() => void look(), LOOK_AFTER_MS);
  return {
    reason: () => reason,
    end: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
};

const fifoOf = async (where: Where): Promise<string | null> => {
  const directory = await directoryOf(where);
  if (directory === null) return null;
  const common = await commonDirectoryOf(directory);
  const left = { files: MAX_FILES };
  for (const each of new Set([directory, common])) {
    const found = await fifoIn(each, left);
    if (found !== null) return found;
  }
  return null;
};

const directoryOf = async (where: Where): Promise<string | null> => {
  if (typeof where !== "string") return where.gitDirectory;
  const link = await repositoryAbove(where);
  // A bare repository is the directory itself.
  return link === null ? where : gitDirectoryOf(link);
};

const fifoIn = async (
  directory: string,
  left: { files: number },
): Promise<string | null> => {
  const entries = await readdir(directory, { withFileTypes: true }).catch(
    (): Dirent[] => [],
  );
  left.files -= entries.length;
  for (const entry of entries) {
    const path = join(directory, entry.name);
    if (await isWaitedFor(entry, path)) return path;
    if (!entry.isDirectory() || left.files <= 0) continue;
    const found = await fifoIn(path, left);
    if (found !== null) return found;
  }
  return null;
};

/** A link may lead to one. A socket is not waited for: it cannot be opened. */
const isWaitedFor = async (entry: Dirent, path: string): Promise<boolean> => {
  if (!entry.isSymbolicLink())
    return entry.isFIFO() || entry.isCharacterDevice();
  const found = await stat(path).catch(() => null);
  return found?.isFIFO() === true || found?.isCharacterDevice() === true;
};
