import { statfs } from "node:fs/promises";
import { RepriseError } from "../contract/problem/problem.ts";
import type { Room } from "../runtime/ports/home.ts";

const MEBIBYTE = 1024 * 1024;
/** What is left for those who run already: for the last words of their turns and for recording them. */
const LEAST_MEBIBYTES = 16;

/** The room on the disk that holds a directory. */
export const roomOnDiskOf = (directory: string): Room => ({
  async check() {
    const { bavail, bsize } = await statfs(directory);
    const free = Math.floor((bavail * bsize) / MEBIBYTE);
    if (free >= LEAST_MEBIBYTES) return;
    throw new RepriseError(
      "storage_full",
      `The disk that holds ${directory} is nearly full (${free} MiB are free). Below ${LEAST_MEBIBYTES} MiB nothing new is begun, so that what runs can be finished. Free some space and try again.`,
    );
  },
});
