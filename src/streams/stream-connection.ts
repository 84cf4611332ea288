import type { AbortReason } from "../contract/link/stream.ts";
import { unreachable } from "../kit/unreachable.ts";
import { ByteStream, StreamAborted } from "./byte-stream.ts";
import { decodeFrame, encodeFrame, type Frame } from "./frame.ts";
import { type Happening, StreamTable } from "./stream-table.ts";

/** What carries frames: a WebSocket, or less in tests. */
export interface Wire {
  /** Resolves when the message has left our memory, or never will. Messages go in the order they came. */
  transmit(message: Uint8Array): Promise<void>;
  close(reason: string): void;
}

export interface Opened {
  params: unknown;
  /** Where what is sent begins. */
  from: number;
}

/** Serves one kind of stream. Its own half is ended when it returns, and aborted when it throws. */
export type StreamHandler = (
  stream: ByteStream,
  opened: Opened,
) => Promise<void>;

export interface StreamOptions {
  /** By kind; null on the side that opens streams. */
  handlers: ReadonlyMap<string, StreamHandler> | null;
  maxStreams: number;
}

/** How far who sends may be ahead of the socket: enough that it never runs dry. */
const MAX_AHEAD = 64;
const MAX_BYTES_AHEAD = 512 * 1024;
/** Frames that wait to be sent. So many are answers to who reads none. */
const MAX_WAITING = 1024;

/** All streams of one connection. They end with it. */
export class StreamConnection {
  readonly #wire: Wire;
  readonly #table: StreamTable;
  readonly #handlers: ReadonlyMap<string, StreamHandler>;
  readonly #streams = new Map<number, ByteStream>();
  #waiting = 0;
  #waitingBytes = 0;
  #isLost = false;

  constructor(wire: Wire, { handlers, maxStreams }: StreamOptions) {
    this.#wire = wire;
    this.#handlers = handlers ?? new Map<string, StreamHandler>();
    const kinds = handlers === null ? null : new Set(handlers.keys());
    this.#table = new StreamTable({ kinds, maxStreams });
  }

  isOpen(): boolean {
    return !this.#isLost;
  }

  /** `from` is where the other side is to begin. */
  open(kind: string, params: object, from = 0): ByteStream {
    if (this.#isLost) throw new StreamAborted(LOST);
    const frame = this.#table.open(kind, params, from);
    if (frame === null)
      throw new StreamAborted({
        code: "too_many_streams",
        message: "too many streams are open",
      });
    const stream = this.#add(frame.stream);
    void this.#transmit(frame);
    return stream;
  }

  /** A message came. */
  take(message: Uint8Array): void {
    if (this.#isLost) return;
    const frame = decodeFrame(message);
    if (frame === null) return this.close("a frame cannot be read");
    const { reply, happening } = this.#table.take(frame);
    // First: a stream whose reply is its abort is forgotten when that is sent, and its user has to know.
    if (happening !== undefined) this.#happened(happening);
    if (reply !== undefined) void this.#transmit(reply);
    this.#forgetEnded(frame.stream);
  }

  /** The wire is gone. */
  lost(): void {
    this.#isLost = true;
    for (const stream of this.#streams.values()) stream.wasAborted(LOST);
    this.#streams.clear();
  }

  close(reason: string): void {
    this.#wire.close(reason);
    this.lost();
  }

  #happened(happening: Happening): void {
    switch (happening.type) {
      case "broken":
        return this.close(happening.message);
      case "opened":
        return this.#serve(happening);
      case "data":
        return this.#streams.get(happening.stream)?.arrived(happening.bytes);
      case "credited":
        return this.#streams.get(happening.stream)?.wake();
      case "ended":
        return this.#streams.get(happening.stream)?.isOver();
      case "aborted":
        return this.#streams
          .get(happening.stream)
          ?.wasAborted(happening.reason);
      default:
        return unreachable(happening);
    }
  }

  #serve({
    stream: id,
    kind,
    params,
    from,
  }: Extract<Happening, { type: "opened" }>): void {
    const stream = this.#add(id);
    const serve = async (): Promise<void> => {
      await this.#handlers.get(kind)?.(stream, { params, from });
      await stream.finish();
    };
    serve().catch((error: unknown) => {
      const { code, message } = reasonOf(error);
      stream.abort(code, message);
    });
  }

  #add(id: number): ByteStream {
    const stream = new ByteStream(id, this.#table, (frame) =>
      this.#transmit(frame),
    );
    this.#streams.set(id, stream);
    return stream;
  }

  async #transmit(frame: Frame | null): Promise<void> {
    if (frame === null || this.#isLost) return;
    this.#forgetEnded(frame.stream);
    if (this.#waiting >= MAX_WAITING) return this.close("nothing is read");
    const message = encodeFrame(frame);
    this.#waiting += 1;
    this.#waitingBytes += message.length;
    const gone = this.#wire.transmit(message).then(() => {
      this.#waiting -= 1;
      this.#waitingBytes -= message.length;
    });
    if (this.#waiting > MAX_AHEAD || this.#waitingBytes > MAX_BYTES_AHEAD)
      await gone;
  }

  #forgetEnded(id: number): void {
    if (!this.#table.has(id)) this.#streams.delete(id);
  }
}

const LOST: AbortReason = {
  code: "connection_lost",
  message: "the connection was lost",
};

const reasonOf = (error: unknown): AbortReason => {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof StreamAborted ? error.code : "internal";
  return { code, message };
};
