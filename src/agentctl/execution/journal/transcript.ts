import { createHash, type Hash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import type { TranscriptMark } from "../../../contract/link/link.ts";
import { hasErrno } from "../../../kit/errno.ts";
import { openPlain } from "../../../kit/files/read-plain.ts";
import type { Open } from "../../drivers/driver.ts";
import { isUnusable } from "../../../kit/files/unusable-file.ts";

/** Marks the agent's own session file again and again: it grows at its end, so only what is new is read. */
export class TranscriptMarker {
  #path = "";
  #inode = 0;
  #read = 0;
  #hash: Hash = createHash("sha256");

  /** Null when there is no such file. */
  async mark(path: string): Promise<TranscriptMark | null> {
    try {
      const file = await openPlain(path, { follow: true });
      try {
        const { size, ino } = await file.stat();
        if (path !== this.#path || ino !== this.#inode || size < this.#read)
          this.#startOver(path, ino);
        this.#read += await hashRange(file, this.#hash, this.#read, size);
        return {
          bytes: this.#read,
          sha256: this.#hash.copy().digest("hex"),
        };
      } finally {
        await file.close();
      }
    } catch (error) {
      if (hasErrno(error, "ENOENT") || isUnusable(error, "not_plain"))
        return null;
      throw error;
    }
  }

  #startOver(path: string, inode: number): void {
    this.#path = path;
    this.#inode = inode;
    this.#read = 0;
    this.#hash = createHash("sha256");
  }
}

/** Whether the file still begins with what was marked. The agent may have written on after the mark: that is no damage. */
export const checkTranscript = async (
  path: string | null,
  mark: TranscriptMark | null,
): Promise<Extract<Open, { kind: "native" }>["transcript"]> => {
  if (mark === null) return "unrecorded";
  if (path === null) return "missing";
  try {
    const file = await openPlain(path, { follow: true });
    try {
      const hash = createHash("sha256");
      await hashRange(file, hash, 0, mark.bytes);
      return hash.digest("hex") === mark.sha256 ? "intact" : "damaged";
    } finally {
      await file.close();
    }
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return "missing";
    if (isUnusable(error, "not_plain")) return "damaged";
    throw error;
  }
};

/** Feeds the bytes `[from, to)` to the hash, as many as there are; says how many. */
const hashRange = async (
  file: FileHandle,
  hash: Hash,
  from: number,
  to: number,
): Promise<number> => {
  const buffer = Buffer.allocUnsafe(256 * 1024);
  let at = from;
  while (at < to) {
    const length = Math.min(buffer.length, to - at);
    const { bytesRead } = await file.read(buffer, 0, length, at);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
  return at - from;
};
