/**
 * What the frames of one connection mean. Pure: frames go in, and what has to be answered and what has happened come out.
 *
 *     opened ──► each half: data, data … (within credit, offset by offset) ──► end
 *        │                                                                      both halves ended: gone
 *        └── abort, by either side, at any time: gone
 *
 * A fault in one stream aborts that stream; the others go on. A frame that belongs to no stream breaks the connection.
 */
import type { AbortCode, AbortReason } from "../contract/link/stream.ts";
import { unreachable } from "../kit/unreachable.ts";
import type { Frame } from "./frame.ts";

export type Happening =
  | {
      type: "opened";
      stream: number;
      kind: string;
      params: unknown;
      from: number;
    }
  | { type: "data"; stream: number; bytes: Uint8Array }
  | { type: "credited"; stream: number }
  | { type: "ended"; stream: number }
  | { type: "aborted"; stream: number; reason: AbortReason }
  | { type: "broken"; message: string };

export interface Step {
  reply?: Frame;
  happening?: Happening;
}

export interface TableOptions {
  /** Kinds that the other side may open here; null on the side that opens. */
  kinds: ReadonlySet<string> | null;
  maxStreams: number;
}

interface Half {
  /** The next byte's. */
  offset: number;
  /** How many bytes may follow. */
  credit: number;
  isOver: boolean;
}

interface Entry {
  sent: Half;
  received: Half;
}

/** More is nobody's buffer. */
const MAX_CREDIT = 2 ** 31;

export class StreamTable {
  readonly #options: TableOptions;
  readonly #entries = new Map<number, Entry>();
  #highest = 0;

  constructor(options: TableOptions) {
    this.#options = options;
  }

  /** Null while too many are open. `from` is where the other side begins to send. */
  open(kind: string, params: unknown, from: number): Frame | null {
    if (this.#entries.size >= this.#options.maxStreams) return null;
    const stream = ++this.#highest;
    this.#entries.set(stream, { sent: half(0), received: half(from) });
    return { type: "open", stream, from, kind, params };
  }

  take(frame: Frame): Step {
    if (frame.type === "open") return this.#opened(frame);
    const entry = this.#entries.get(frame.stream);
    if (entry === undefined)
      // What was on its way when the stream ended.
      return frame.stream <= this.#highest ? {} : broken("no such stream");
    switch (frame.type) {
      case "data":
        return this.#data(frame, entry);
      case "credit":
        return this.#credited(frame, entry);
      case "end":
        return this.#ended(frame, entry);
      case "abort": {
        const { stream, reason } = frame;
        this.#entries.delete(stream);
        return { happening: { type: "aborted", stream, reason } };
      }
      default:
        return unreachable(frame);
    }
  }

  /** How many bytes may be sent now. */
  room(stream: number): number {
    const { sent } = this.#entries.get(stream) ?? {};
    return sent === undefined || sent.isOver ? 0 : sent.credit;
  }

  /** No more than there is room for. */
  data(stream: number, bytes: Uint8Array): Frame | null {
    const { sent } = this.#entries.get(stream) ?? {};
    if (sent === undefined || sent.isOver || bytes.length > sent.credit)
      return null;
    const { offset } = sent;
    sent.offset += bytes.length;
    sent.credit -= bytes.length;
    return { type: "data", stream, offset, bytes };
  }

  /** Null where nothing more is expected. */
  grant(stream: number, bytes: number): Frame | null {
    const { received } = this.#entries.get(stream) ?? {};
    if (received === undefined || received.isOver) return null;
    received.credit += bytes;
    return { type: "credit", stream, bytes };
  }

  /** Nothing more is sent. Null where that is known. */
  end(stream: number): Frame | null {
    const entry = this.#entries.get(stream);
    if (entry === undefined || entry.sent.isOver) return null;
    entry.sent.isOver = true;
    this.#forgetEnded(stream, entry);
    return { type: "end", stream, offset: entry.sent.offset };
  }

  /** Null where it has ended. */
  abort(stream: number, reason: AbortReason): Frame | null {
    if (!this.#entries.delete(stream)) return null;
    return { type: "abort", stream, reason };
  }

  has(stream: number): boolean {
    return this.#entries.has(stream);
  }

  #opened({
    stream,
    kind,
    params,
    from,
  }: Extract<Frame, { type: "open" }>): Step {
    const { kinds, maxStreams } = this.#options;
    if (kinds === null) return broken("streams are opened by the server");
    if (stream <= this.#highest) return broken("a stream's number is used");
    this.#highest = stream;
    const refused = (code: AbortCode, message: string): Step => ({
      reply: { type: "abort", stream, reason: { code, message } },
    });
    if (this.#entries.size >= maxStreams)
      return refused("too_many_streams", `${maxStreams} streams are open`);
    if (!kinds.has(kind)) return refused("unknown_kind", "no such stream");
    this.#entries.set(stream, { sent: half(from), received: half(0) });
    return { happening: { type: "opened", stream, kind, params, from } };
  }

  #data(
    { stream, offset, bytes }: Extract<Frame, { type: "data" }>,
    { received }: Entry,
  ): Step {
    if (received.isOver || offset !== received.offset)
      return this.#violated(stream, "bad_offset", wrong(offset, received));
    if (bytes.length > received.credit)
      return this.#violated(
        stream,
        "credit_exceeded",
        `${bytes.length} bytes came where ${received.credit} were allowed`,
      );
    received.offset += bytes.length;
    received.credit -= bytes.length;
    return { happening: { type: "data", stream, bytes } };
  }

  #credited(
    { stream, bytes }: Extract<Frame, { type: "credit" }>,
    { sent }: Entry,
  ): Step {
    if (sent.credit + bytes > MAX_CREDIT)
      return this.#violated(stream, "credit_exceeded", "too much credit");
    sent.credit += bytes;
    return { happening: { type: "credited", stream } };
  }

  #ended(
    { stream, offset }: Extract<Frame, { type: "end" }>,
    entry: Entry,
  ): Step {
    const { received } = entry;
    if (received.isOver || offset !== received.offset)
      return this.#violated(stream, "bad_offset", wrong(offset, received));
    received.isOver = true;
    this.#forgetEnded(stream, entry);
    return { happening: { type: "ended", stream } };
  }

  #forgetEnded(stream: number, { sent, received }: Entry): void {
    if (sent.isOver && received.isOver) this.#entries.delete(stream);
  }

  #violated(stream: number, code: AbortCode, message: string): Step {
    this.#entries.delete(stream);
    const reason = { code, message };
    return {
      reply: { type: "abort", stream, reason },
      happening: { type: "aborted", stream, reason },
    };
  }
}

const half = (offset: number): Half => ({ offset, credit: 0, isOver: false });

const broken = (message: string): Step => ({
  happening: { type: "broken", message },
});

const wrong = (offset: number, { offset: expected, isOver }: Half): string =>
  isOver
    ? `something came at ${offset} behind the end`
    : `offset ${offset} came where ${expected} was to follow`;
