import type { FileRows } from "../trees/arena.ts";
import type { ByteString } from "../format/byte-string.ts";
import type { Order } from "../write/make-files.ts";
import type { FileBatch } from "../read/read-files.ts";

/** What a thread can be asked that lends others a hand. */
export interface SideCalls {
  /** Parts of a save. Each thread packs what it read until it is told that this was all. */
  readFiles: {
    query: { batch: FileBatch; taken: SharedArrayBuffer };
    answer: FileRows;
  };
  /** The bytes that were written. */
  finishReading: { query: null; answer: number };
  discardReading: { query: null; answer: null };
  /** Parts of a restore. */
  makeFiles: { query: Order; answer: ByteString[] };
}
