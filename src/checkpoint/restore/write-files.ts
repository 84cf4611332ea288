import type { ByteString } from "../format/byte-string.ts";
import type { FileEntry } from "../format/entry.ts";
import { VaultFailure } from "../format/failure.ts";
import type { Hash } from "../format/hash.ts";
import type { SideWorkers } from "../threads/side-workers.ts";
import {
  makeFiles,
  makeSmall,
  type BlockOrder,
  type Order,
  type PieceAt,
  type PiecesOrder,
  type Target,
} from "../write/make-files.ts";
import { piecesOf, type Objects } from "../packs/objects.ts";
import { inPackOrder } from "../packs/pack-order.ts";
import { attributesOf } from "../write/put-entry.ts";
import type { SafePath } from "../files/safe-path.ts";

/** A file that a restore makes. */
export interface FileJob {
  /** In the workspace. */
  path: ByteString;
  entry: FileEntry;
  /** The id of the restore; null when its directory was made a moment ago, so that it may grow at its place. */
  restoreId: string | null;
}

/** Blocks that are given to a thread at once. */
const BLOCKS = 4;

/**
 * Makes the files in the order in which their content lies in the packs: here, or by several threads if they are many.
 * The paths of those that could not be given all their attributes.
 */
export const writeFiles = async (
  { root, safePath }: { root: ByteString; safePath: SafePath },
  jobs: readonly FileJob[],
  objects: Objects,
  isAborted: () => boolean,
  sideWorkers: SideWorkers | null,
): Promise<ByteString[]> => {
  const incomplete: ByteString[] = [];
  const byHash = new Map<Hash, FileJob[]>();
  const large: Order[] = [];
  for (const job of jobs) {
    const { content } = job.entry;
    if (content.form === "empty")
      incomplete.push(...makeSmall(targetOf(job), safePath, new Uint8Array()));
    else if (content.form === "pieces")
      large.push({
        root,
        kind: "pieces",
        file: await piecesOrder(job, content.hash, objects),
      });
    else {
      const same = byHash.get(content.hash);
      if (same === undefined) byHash.set(content.hash, [job]);
      else same.push(job);
    }
  }
  const blocks = inPackOrder(byHash.keys(), objects).map((block) => ({
    pack: block.pack,
    offset: block.offset,
    files: block.wanted.map((wanted) => ({
      ...wanted,
      targets: (byHash.get(wanted.hash) ?? []).map((job) => {
        if (job.entry.size !== wanted.length) throw otherSize();
        return targetOf(job);
      }),
    })),
  }));
  // Large ones first, so that nobody has to wait for one at the end.
  const orders = [...large, ...inBatches(root, blocks)];
  if (sideWorkers === null)
    for (const order of orders)
      incomplete.push(...(await makeFiles(order, objects, isAborted)));
  else
    incomplete.push(...(await sideWorkers.share("makeFiles", orders)).flat());
  return incomplete;
};

const inBatches = (
  root: ByteString,
  blocks: readonly BlockOrder[],
): Order[] => {
  const orders: Order[] = [];
  for (let at = 0; at < blocks.length; at += BLOCKS)
    orders.push({
      root,
      kind: "blocks",
      blocks: blocks.slice(at, at + BLOCKS),
    });
  return orders;
};

const targetOf = ({ path, entry, restoreId }: FileJob): Target => ({
  path,
  ...attributesOf(entry),
  restoreId,
});

const piecesOrder = async (
  job: FileJob,
  list: Hash,
  objects: Objects,
): Promise<PiecesOrder> => {
  const pieces: PieceAt[] = [];
  let size = 0;
  for (const piece of await piecesOf(objects, list)) {
    if (piece.kind === "data") {
      const { hash } = piece;
      const found = objects.locate(hash);
      if (found.length !== piece.length)
        throw new VaultFailure(
          "damaged",
          "a piece has another size than its list says",
        );
      pieces.push({ position: size, hash, ...found });
    }
    size += piece.length;
  }
  if (size !== job.entry.size) throw otherSize();
  return { target: targetOf(job), size, pieces };
};

const otherSize = (): VaultFailure =>
  new VaultFailure("damaged", "a file has another size than its tree says");
