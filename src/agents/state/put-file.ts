import { randomBytes } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  linkDurably,
  remove,
  writeDraftOf,
} from "../../kit/files/durable-file.ts";
import { LineSplitter } from "../../kit/data/ndjson.ts";
import { openPlain } from "../../kit/files/read-plain.ts";
import { isUnusable } from "../../kit/files/unusable-file.ts";

/** A line of the file as an object; null leaves the line as it is, to the byte. */
export type Rewrite = (
  record: Record<string, unknown>,
) => Record<string, unknown> | null;

/**
 * Makes a file of JSON lines from another, whole or not at all.
 *
 *     placed   it was made
 *     there    a file stood there and begins with just that: it may have grown since
 *     taken    a file stood there and is another: it was left alone
 */
export const putLines = async (
  source: string,
  path: string,
  rewrite: Rewrite,
): Promise<"placed" | "there" | "taken"> => {
  return withDraft(path, async (draft) => {
    await writeDraftOf(draft, linesOf(source, rewrite));
    if (await linkDurably(draft, path)) return "placed";
    return (await beginsWith(path, draft)) ? "there" : "taken";
  });
};

/** Makes a file, whole or not at all. False when something has that name already: it stays as it is. */
export const putNew = (
  path: string,
  content: AsyncIterable<Uint8Array> | Iterable<string>,
  mode = 0o600,
): Promise<boolean> =>
  withDraft(path, async (draft) => {
    await writeDraftOf(draft, content, mode);
    return linkDurably(draft, path);
  });

/** A name for a draft beside the file, which is there only meanwhile. */
const withDraft = async <T>(
  path: string,
  work: (draft: string) => Promise<T>,
): Promise<T> => {
  const directory = dirname(path);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await sweepDrafts(directory);
  const draft = join(
    directory,
    `${DRAFT_PREFIX}${randomBytes(6).toString("hex")}`,
  );
  underWay.add(draft);
  try {
    return await work(draft);
  } finally {
    await remove(draft);
    underWay.delete(draft);
  }
};

/** Drafts of this process. Their age says nothing when the clock is set meanwhile. */
const underWay = new Set<string>();

/** Removes what one of us left here who was killed. What is new may be another's who is at it. */
const sweepDrafts = async (directory: string): Promise<void> => {
  for (const name of await readdir(directory)) {
    if (!DRAFT.test(name)) continue;
    const path = join(directory, name);
    if (underWay.has(path)) continue;
    const found = await stat(path).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > ABANDONED_MS)
      await remove(path);
  }
};

const DRAFT_PREFIX = ".reprise-";
const DRAFT = /^\.reprise-[0-9a-f]{12}$/;
const ABANDONED_MS = 3_600_000;

async function* linesOf(
  source: string,
  rewrite: Rewrite,
): AsyncGenerator<Buffer | string> {
  const splitter = new LineSplitter(0, Number.POSITIVE_INFINITY);
  await using file = await openPlain(source, { follow: true });
  const content = file.createReadStream({ autoClose: false });
  for await (const chunk of content as AsyncIterable<Buffer>)
    for (const { bytes } of splitter.push(chunk)) {
      yield rewritten(bytes, rewrite);
      yield "\n";
    }
  const rest = splitter.rest();
  if (rest !== null) yield rewritten(rest.bytes, rewrite);
}

const rewritten = (line: Buffer, rewrite: Rewrite): Buffer | string => {
  const record = parse(line);
  const changed = record && rewrite(record);
  return changed ? JSON.stringify(changed) : line;
};

/** Null for a line that is cut or no object: it is kept as it is. */
const parse = (line: Buffer): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(line.toString("utf8"));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
};

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const beginsWith = async (path: string, draft: string): Promise<boolean> => {
  await using there = await openPlain(path, { follow: true }).catch(
    (error: unknown) => {
      if (isUnusable(error, "not_plain")) return null;
      throw error;
    },
  );
  if (there === null) return false;
  await using draftFile = await open(draft, "r");
  for (let at = 0; ; at += STEP) {
    const [one, other] = await Promise.all([
      chunkOf(draftFile, at),
      chunkOf(there, at),
    ]);
    if (!other.subarray(0, one.length).equals(one)) return false;
    if (one.length < STEP) return true;
  }
};

const STEP = 256 * 1024;

const chunkOf = async (file: FileHandle, at: number): Promise<Buffer> => {
  const buffer = Buffer.allocUnsafe(STEP);
  let filled = 0;
  while (filled < STEP) {
    const { bytesRead } = await file.read(
      buffer,
      filled,
      STEP - filled,
      at + filled,
    );
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
};
