import { parentOf, type ByteString } from "../format/byte-string.ts";
import { VaultFailure } from "../format/failure.ts";
import type { Hash } from "../format/hash.ts";
import type { Objects } from "../packs/objects.ts";
import type { Location } from "../packs/pack-index.ts";
import {
  draftFor,
  GrowingFile,
  makeFile,
  putEntry,
  putDraft,
  removeEntry,
  type Attributes,
} from "./put-entry.ts";
import { SafePath } from "../files/safe-path.ts";

/** A file that is to be. */
export interface Target extends Attributes {
  /** In the workspace. */
  path: ByteString;
  /** The id of the restore; null when its directory was made a moment ago, so that it may grow at its place. */
  restoreId: string | null;
}

/** Files whose content lies in one block. */
export interface BlockOrder {
  pack: string;
  offset: number;
  files: { hash: Hash; at: number; length: number; targets: Target[] }[];
}

/** A file whose content lies in many. */
export interface PiecesOrder {
  target: Target;
  size: number;
  /** What is between them is a hole. */
  pieces: PieceAt[];
}

export interface PieceAt extends Location {
  position: number;
  hash: Hash;
}

/** What one thread does in one go, and in which workspace. */
export type Order = { root: ByteString } & (
  | { kind: "blocks"; blocks: BlockOrder[] }
  | { kind: "pieces"; file: PiecesOrder }
);

/** Makes files, each compared with its hash. The paths of those that could not be given all their attributes. */
export const makeFiles = async (
  order: Order,
  objects: Objects,
  isAborted: () => boolean,
): Promise<ByteString[]> => {
  const incomplete: ByteString[] = [];
  const stop = (): void => {
    if (isAborted())
      throw new VaultFailure("aborted", "the restore was called off");
  };
  const safePath = new SafePath(order.root);
  try {
    if (order.kind === "pieces")
      incomplete.push(
        ...(await makeLarge(order.file, safePath, objects, stop)),
      );
    else
      for (const { pack, offset, files } of order.blocks) {
        const found = objects.inBlock(pack, offset, files);
        for await (const { wanted, bytes } of found) {
          stop();
          for (const target of wanted.targets)
            incomplete.push(...makeSmall(target, safePath, bytes));
        }
      }
  } finally {
    safePath.close();
  }
  return incomplete;
};

/** Its path when it could not be given all its attributes. */
export const makeSmall = (
  target: Target,
  safePath: SafePath,
  bytes: Uint8Array,
): ByteString[] => {
  const inherits = safePath.inheritsAcl(parentOf(target.path));
  const path = safePath.at(target.path);
  const draft = draftFor(path, target.restoreId);
  const make = () => makeFile({ draft, inherits }, bytes, target);
  return putEntry(draft, path, make) ? [] : [target.path];
};

const makeLarge = async (
  { target, size, pieces }: PiecesOrder,
  safePath: SafePath,
  objects: Objects,
  stop: () => void,
): Promise<ByteString[]> => {
  const inherits = safePath.inheritsAcl(parentOf(target.path));
  const path = safePath.at(target.path);
  const draft = draftFor(path, target.restoreId);
  const file = new GrowingFile({ draft, inherits }, target, size);
  let whole = false;
  let isComplete = false;
  try {
    for (const piece of pieces) {
      stop();
      file.put(await objects.objectAt(piece, piece.hash), piece.position);
    }
    whole = true;
  } finally {
    isComplete = file.close(whole ? target : null);
    if (!whole) removeEntry(draft, false);
  }
  putDraft(draft, path);
  return isComplete ? [] : [target.path];
};
