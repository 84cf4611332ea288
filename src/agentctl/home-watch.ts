import {
  closeSync,
  fstatSync,
  openSync,
  statSync,
  type BigIntStats,
} from "node:fs";
import { hasErrno } from "../kit/errno.ts";
import type { Place } from "./place.ts";

/**
 * Looks now and then whether our home is still where it was. Without it we are of no use: nobody can find us, and
 * another agentctl may hold the lock that stands there now.
 */
export const watchHome = (
  { lock, executions }: Pick<Place, "lock" | "executions">,
  everyMs: number,
  onGone: (how: Gone) => void,
): { close(): void } => {
  const held = openSync(executions, "r");
  const found = [lock, executions].map((path) => ({ path, was: look(path) }));
  const timer = setInterval(() => {
    if (found.every(({ path, was }) => isSame(was, look(path)))) return;
    clearInterval(timer);
    onGone(fstatSync(held).nlink === 0 ? "removed" : "moved");
  }, everyMs);
  timer.unref();
  return {
    close: () => {
      clearInterval(timer);
      closeSync(held);
    },
  };
};

/** Moved: its files are elsewhere, and who looks there finds the agents. Removed: nobody can ever reach them again. */
export type Gone = "moved" | "removed";

type Found = BigIntStats | "missing" | "unknown";

const look = (path: string): Found => {
  try {
    return statSync(path, { bigint: true });
  } catch (error) {
    return hasErrno(error, "ENOENT", "ENOTDIR") ? "missing" : "unknown";
  }
};

/** What cannot be seen at the moment is believed to be there. */
const isSame = (was: Found, is: Found): boolean => {
  if (typeof was === "string" || is === "unknown") return true;
  return is !== "missing" && is.ino === was.ino && is.dev === was.dev;
};
