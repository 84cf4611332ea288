/** Files that are nothing after a restart: what comes in or goes out as one piece lies here meanwhile. */
import { randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { makeDirectory } from "../kit/make-directory.ts";

/** Runs with a directory of its own, which is gone afterwards. */
export const withScratch = async <T>(
  root: string,
  work: (directory: string) => Promise<T>,
): Promise<T> => {
  const directory = join(root, randomBytes(8).toString("hex"));
  await makeDirectory(root);
  await makeDirectory(directory);
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

/** Writes what comes, piece by piece, never faster than the disk takes it. */
export const writeScratch = (
  path: string,
  content: AsyncIterable<string | Uint8Array>,
): Promise<void> =>
  pipeline(
    Readable.from(content),
    createWriteStream(path, { flags: "wx", mode: 0o600 }),
  );

/** Its bytes, to be read once; the name may go as soon as this resolves. */
export const streamScratch = async (path: string): Promise<Readable> =>
  createReadStream("", { fd: await open(path, "r") });
