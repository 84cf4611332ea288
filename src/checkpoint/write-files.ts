import type { ByteString } from "./byte-string.ts";
import { objectIn } from "./block.ts";
import type { FileEntry } from "./entry.ts";
import { VaultFailure } from "./failure.ts";
import type { Hash } from "./hash.ts";
import { piecesOf, type Objects } from "./objects.ts";
import {
  draftFor,
  GrowingFile,
  makeFile,
  place,
  placeDraft,
  removeEntry,
} from "./place.ts";

/** A file that a restore makes. */
export interface FileJob {
  path: ByteString;
  entry: FileEntry;
  /** Its directory was made a moment ago, so it may grow at its place. */
  direct: boolean;
}

/** Blocks that are unpacked while others are written: half of Node's threads stay free. */
const AHEAD = 2;

/** Makes the files in the order in which their content lies in the packs, so that each block is unpacked once. */
export const writeFiles = async (
  jobs: readonly FileJob[],
  objects: Objects,
  isAborted: () => boolean,
): Promise<void> => {
  const stop = (): void => {
    if (isAborted())
      throw new VaultFailure("aborted", "the restore was called off");
  };
  for (const job of jobs)
    if (job.entry.content.form === "empty") write(job, new Uint8Array());
  const blocks = blocksFor(jobs, objects);
  const unpacking: Promise<Buffer>[] = [];
  const begin = (at: number): void => {
    const block = blocks[at];
    if (block === undefined) return;
    const raw = objects.unpacked(block.pack, block.offset);
    // It is waited for below, unless an earlier one fails.
    raw.catch(() => {});
    unpacking[at] = raw;
  };
  for (let at = 0; at < AHEAD; at++) begin(at);
  for (const [at, { wanted }] of blocks.entries()) {
    begin(at + AHEAD);
    const raw = await unpacking[at];
    delete unpacking[at];
    if (raw === undefined) continue;
    for (const { hash, at, length, jobs } of wanted) {
      stop();
      const bytes = objectIn(raw, { hash, at, length });
      for (const job of jobs) write(job, bytes);
    }
  }
  for (const job of jobs) {
    stop();
    if (job.entry.content.form === "pieces")
      await writePieces(job, job.entry.content.hash, objects);
  }
};

interface WantedBlock {
  pack: string;
  offset: number;
  wanted: { hash: Hash; at: number; length: number; jobs: FileJob[] }[];
}

const blocksFor = (
  jobs: readonly FileJob[],
  objects: Objects,
): WantedBlock[] => {
  const byHash = new Map<Hash, FileJob[]>();
  for (const job of jobs) {
    const { content } = job.entry;
    if (content.form !== "whole") continue;
    const same = byHash.get(content.hash);
    if (same === undefined) byHash.set(content.hash, [job]);
    else same.push(job);
  }
  const blocks = new Map<string, WantedBlock>();
  for (const [hash, jobs] of byHash) {
    const { pack, block: offset, at, length } = objects.locate(hash);
    const key = `${pack}:${offset}`;
    const block = blocks.get(key) ?? { pack, offset, wanted: [] };
    block.wanted.push({ hash, at, length, jobs });
    blocks.set(key, block);
  }
  return [...blocks.values()].sort(
    (a, b) => a.pack.localeCompare(b.pack) || a.offset - b.offset,
  );
};

const write = ({ path, entry, direct }: FileJob, bytes: Uint8Array): void => {
  if (bytes.length !== entry.size)
    throw new VaultFailure(
      "damaged",
      "a file has another size than its tree says",
    );
  const draft = draftFor(path, direct);
  place(draft, path, () => makeFile(draft, bytes, entry));
};

const dataOf = async (
  objects: Objects,
  piece: { hash: Hash; length: number },
): Promise<Buffer> => {
  const bytes = await objects.object(piece.hash);
  if (bytes.length === piece.length) return bytes;
  throw new VaultFailure(
    "damaged",
    "a piece has another size than its list says",
  );
};

const writePieces = async (
  { path, entry, direct }: FileJob,
  list: Hash,
  objects: Objects,
): Promise<void> => {
  const pieces = await piecesOf(objects, list);
  const size = pieces.reduce((sum, { length }) => sum + length, 0);
  if (size !== entry.size)
    throw new VaultFailure(
      "damaged",
      "a file has another size than its tree says",
    );
  const draft = draftFor(path, direct);
  const file = new GrowingFile(draft, entry.mode, size);
  let whole = false;
  try {
    let position = 0;
    for (const piece of pieces) {
      if (piece.kind === "data")
        file.write(await dataOf(objects, piece), position);
      position += piece.length;
    }
    whole = true;
  } finally {
    file.close(whole ? entry : null);
    if (!whole) removeEntry(draft, false);
  }
  placeDraft(draft, path);
};
