import { objectIn } from "./block.ts";
import type { ByteString } from "./byte-string.ts";
import { VaultFailure } from "./failure.ts";
import type { Hash } from "./hash.ts";
import type { Objects } from "./objects.ts";
import {
  draftFor,
  GrowingFile,
  makeFile,
  place,
  placeDraft,
  removeEntry,
  type Attributes,
} from "./place.ts";
import { Way } from "./way.ts";

/** A file that is to be. */
export interface Target extends Attributes {
  /** In the workspace. */
  path: ByteString;
  /** Its directory was made a moment ago, so it may grow at its place. */
  direct: boolean;
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

export interface PieceAt {
  position: number;
  hash: Hash;
  pack: string;
  block: number;
  at: number;
  length: number;
}

/** What one thread does in one go, and in which workspace. */
export type Order = { root: ByteString } & (
  | { kind: "blocks"; blocks: BlockOrder[] }
  | { kind: "pieces"; file: PiecesOrder }
);

/** Makes files, each compared with its hash. */
export const makeFiles = async (
  order: Order,
  objects: Objects,
  isAborted: () => boolean,
): Promise<void> => {
  const stop = (): void => {
    if (isAborted())
      throw new VaultFailure("aborted", "the restore was called off");
  };
  const way = new Way(order.root);
  try {
    if (order.kind === "pieces")
      await makeLarge(order.file, way, objects, stop);
    else
      for (const { pack, offset, files } of order.blocks) {
        const raw = await objects.unpacked(pack, offset);
        for (const file of files) {
          stop();
          const bytes = objectIn(raw, file);
          for (const target of file.targets) makeSmall(target, way, bytes);
        }
      }
  } finally {
    way.close();
  }
};

export const makeSmall = (
  target: Target,
  way: Way,
  bytes: Uint8Array,
): void => {
  const path = way.at(target.path);
  const draft = draftFor(path, target.direct);
  place(draft, path, () => makeFile(draft, bytes, target));
};

const makeLarge = async (
  { target, size, pieces }: PiecesOrder,
  way: Way,
  objects: Objects,
  stop: () => void,
): Promise<void> => {
  const path = way.at(target.path);
  const draft = draftFor(path, target.direct);
  const file = new GrowingFile(draft, target.mode, size);
  let whole = false;
  try {
    for (const piece of pieces) {
      stop();
      const raw = await objects.block(piece.pack, piece.block);
      file.put(objectIn(raw, piece), piece.position);
    }
    whole = true;
  } finally {
    file.close(whole ? target : null);
    if (!whole) removeEntry(draft, false);
  }
  placeDraft(draft, path);
};
