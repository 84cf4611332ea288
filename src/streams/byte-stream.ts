import {
  type AbortCode,
  type AbortReason,
  MAX_PIECE,
  STREAM_WINDOW,
} from "../contract/link/stream.ts";
import type { Frame } from "./frame.ts";
import type { StreamTable } from "./stream-table.ts";

/** A stream ended before its end. */
export class StreamAborted extends Error {
  readonly code: AbortCode;
  constructor({ code, message }: AbortReason, options?: ErrorOptions) {
    super(message, options);
    this.name = "StreamAborted";
    this.code = code;
  }
}

const SMALL = 4096;

/** Resolves when the next frame may be sent; null is nothing to send. */
type Transmit = (frame: Frame | null) => Promise<void>;

/** One stream as its two users see it: bytes to read, piece by piece, and bytes to send. */
export class ByteStream implements AsyncIterable<Uint8Array> {
  readonly id: number;
  readonly #table: StreamTable;
  readonly #transmit: Transmit;
  readonly #arrived: Uint8Array[] = [];
  #isRead = false;
  #isOver = false;
  #aborted: StreamAborted | null = null;
  #changed = Promise.withResolvers<void>();

  constructor(id: number, table: StreamTable, transmit: Transmit) {
    this.id = id;
    this.#table = table;
    this.#transmit = transmit;
  }

  /** Each piece once. Credit is given when a piece was taken, so that no more than a window of them waits here. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    if (!this.#isRead) await this.#grant(STREAM_WINDOW);
    this.#isRead = true;
    let taken = 0;
    try {
      for (;;) {
        if (this.#aborted !== null) throw this.#aborted;
        const piece = this.#arrived.shift();
        if (piece !== undefined) {
          yield piece;
          taken += piece.length;
          if (taken < STREAM_WINDOW / 2) continue;
          await this.#grant(taken);
          taken = 0;
        } else if (this.#isOver) return;
        else await this.#changed.promise;
      }
    } finally {
      if (!this.#isOver) this.abort("cancelled", "nobody reads it any more");
    }
  }

  /** Resolves when all of it is on its way: never before the other side can take it. */
  async push(bytes: Uint8Array): Promise<void> {
    let at = 0;
    while (at < bytes.length) {
      if (this.#aborted !== null) throw this.#aborted;
      const most = Math.min(this.#table.room(this.id), MAX_PIECE);
      if (most === 0) {
        await this.#changed.promise;
        continue;
      }
      const piece = bytes.subarray(at, at + most);
      at += piece.length;
      await this.#transmit(this.#table.data(this.id, piece));
    }
  }

  /** There is nothing more to send. */
  async finish(): Promise<void> {
    if (this.#aborted !== null) throw this.#aborted;
    await this.#transmit(this.#table.end(this.id));
  }

  /** Resolves when the other side has ended its half, of which nothing is wanted. */
  async untilOver(): Promise<void> {
    for await (const piece of this)
      throw new StreamAborted({
        code: "internal",
        message: `${piece.length} bytes came that nobody asked for`,
      });
  }

  abort(code: AbortCode, message: string): void {
    const reason = { code, message };
    void this.#transmit(this.#table.abort(this.id, reason));
    this.wasAborted(reason);
  }

  /** For the connection: what came. */
  arrived(bytes: Uint8Array): void {
    const last = this.#arrived.at(-1);
    // Many small pieces would take more memory than what is in them.
    if (last !== undefined && last.length + bytes.length <= SMALL)
      this.#arrived[this.#arrived.length - 1] = Buffer.concat([last, bytes]);
    else this.#arrived.push(bytes);
    this.wake();
  }

  isOver(): void {
    this.#isOver = true;
    this.wake();
  }

  wasAborted(reason: AbortReason): void {
    if (this.#aborted !== null) return;
    this.#aborted = new StreamAborted(reason);
    this.#arrived.length = 0;
    this.wake();
  }

  wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }

  #grant(bytes: number): Promise<void> {
    return this.#transmit(this.#table.grant(this.id, bytes));
  }
}
