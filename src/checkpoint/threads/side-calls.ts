import type { FileRows } from "../trees/arena.ts";
import type { ByteString } from "../format/byte-string.ts";
import type { Order } from "../write/make-files.ts";
import type { FileBatch } from "../read/read-files.ts";

/** What a thread can be asked that lends others a hand. */
export interface SideCalls {
  /** Parts of a save. Each thread packs what it read until it is told that this was all. */
  readFiles: {
    asked: { batch: FileBatch; taken: SharedArrayBuffer };
    answer: FileRows;
  };
  /** The bytes that were written. */
  finishReading: { asked: null; answer: number };
  discardReading: { asked: null; answer: null };
  /** Parts of a restore. */
  makeFiles: { asked: Order; answer: ByteString[] };
}
