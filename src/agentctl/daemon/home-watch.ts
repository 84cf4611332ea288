import { closeSync, fstatSync, openSync } from "node:fs";
import { identityAt, isSameFile } from "../../kit/files/file-identity.ts";
import type { Daemon } from "./daemon.ts";

/**
 * Looks now and then whether our home is still where it was. Without it we are of no use: nobody can find us, and
 * another agentctl may hold the lock that stands there now.
 */
export const watchHome = (
  { lock, executions }: Pick<Daemon, "lock" | "executions">,
  everyMs: number,
  onGone: (how: Gone) => void,
): { close(): void } => {
  const descriptor = openSync(executions, "r");
  const look = () => ({
    lock: identityAt(lock),
    executions: identityAt(executions),
  });
  const was = look();
  let withoutLock = 0;
  const timer = setInterval(() => {
    const is = look();
    if (isSameFile(was.executions, is.executions)) {
      if (isSameFile(was.lock, is.lock)) return;
      withoutLock += 1;
      if (is.lock === "missing" && withoutLock < MAX_WITHOUT_LOCK) return;
    }
    clearInterval(timer);
    onGone(fstatSync(descriptor).nlink === 0 ? "removed" : "moved");
  }, everyMs);
  timer.unref();
  return {
    close: () => {
      clearInterval(timer);
      closeSync(descriptor);
    },
  };
};

/**
 * Whoever removes a home takes a moment, and may take the lock first. A lock that nobody has replaced is missed for so
 * many looks before we take it for lost.
 */
const MAX_WITHOUT_LOCK = 10;

/** Moved: its files are elsewhere, and who looks there finds the agents. Removed: nobody can ever reach them again. */
export type Gone = "moved" | "removed";
