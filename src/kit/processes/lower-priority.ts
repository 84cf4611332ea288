import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { basename } from "node:path";

/** A quarter of the processor when all of it is wanted, all of it when nobody else wants any. */
const LOWER = 5;

/**
 * Lets this thread stand back behind the others of the machine. Only Linux has priorities for threads; elsewhere nothing
 * changes.
 */
export const lowerPriority = (): void => {
  try {
    const thread = Number(basename(readlinkSync("/proc/thread-self")));
    setPriority(thread, LOWER);
  } catch {
    // No such directory, or not allowed: it works as before, only less politely.
  }
};
