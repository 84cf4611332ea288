import { openSync, readSync } from "node:fs";

const MAX_CHARACTERS = 128;

/**
 * Tells, in milliseconds, how long this thread has been ready to run and had to wait for a processor. Only Linux knows;
 * elsewhere it is always 0.
 */
export const processorWait = (): (() => number) => {
  let file: number;
  try {
    file = openSync("/proc/thread-self/schedstat", "r");
  } catch {
    return () => 0;
  }
  const room = Buffer.alloc(MAX_CHARACTERS);
  return () => {
    const length = readSync(file, room, 0, MAX_CHARACTERS, 0);
    const [, waitedNs] = room.toString("latin1", 0, length).split(" ");
    return Number(waitedNs) / 1e6;
  };
};
