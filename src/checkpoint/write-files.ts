import type { ByteString } from "./byte-string.ts";
import { objectIn } from "./block.ts";
import type { FileEntry } from "./entry.ts";
import { VaultFailure } from "./failure.ts";
import type { Hash } from "./hash.ts";
import { piecesOf, type Objects } from "./objects.ts";
import { inPackOrder, unpackAhead } from "./pack-order.ts";
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

/** Makes the files in the order in which their content lies in the packs. */
export const writeFiles = async (
  jobs: readonly FileJob[],
  objects: Objects,
  isAborted: () => boolean,
): Promise<void> => {
  const stop = (): void => {
    if (isAborted())
      throw new VaultFailure("aborted", "the restore was called off");
  };
  const byHash = new Map<Hash, FileJob[]>();
  for (const job of jobs) {
    const { content } = job.entry;
    if (content.form === "empty") write(job, new Uint8Array());
    if (content.form !== "whole") continue;
    const same = byHash.get(content.hash);
    if (same === undefined) byHash.set(content.hash, [job]);
    else same.push(job);
  }
  const blocks = inPackOrder(byHash.keys(), objects);
  for await (const { raw, block } of unpackAhead(blocks, objects))
    for (const wanted of block.wanted) {
      stop();
      const bytes = objectIn(raw, wanted);
      for (const job of byHash.get(wanted.hash) ?? []) write(job, bytes);
    }
  for (const job of jobs) {
    stop();
    if (job.entry.content.form === "pieces")
      await writePieces(job, job.entry.content.hash, objects);
  }
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
        file.put(await dataOf(objects, piece), position);
      position += piece.length;
    }
    whole = true;
  } finally {
    file.close(whole ? entry : null);
    if (!whole) removeEntry(draft, false);
  }
  placeDraft(draft, path);
};
