/**
 * Frames of streams, one in each binary message. Numbers are big-endian.
 *
 *     byte 0   1 … 4    5 …
 *     type     stream
 *     1 open            from (8) · JSON {kind, params}
 *     2 data            offset (8) · bytes
 *     3 credit          bytes (4)
 *     4 end             offset (8)
 *     5 abort           JSON {code, message}
 */
import * as z from "zod";
import { AbortReason, MAX_FRAME, MAX_PIECE } from "../contract/link/stream.ts";
import { unreachable } from "../kit/unreachable.ts";

export type Frame =
  | {
      type: "open";
      stream: number;
      /** Where the other side begins to send. */
      from: number;
      kind: string;
      params: unknown;
    }
  | { type: "data"; stream: number; offset: number; bytes: Uint8Array }
  | { type: "credit"; stream: number; bytes: number }
  | { type: "end"; stream: number; offset: number }
  | { type: "abort"; stream: number; reason: AbortReason };

const TYPES = { open: 1, data: 2, credit: 3, end: 4, abort: 5 } as const;
const HEAD = 5;
const OFFSET = 8;
const MAX_MESSAGE = 2000;

export const encodeFrame = (frame: Frame): Buffer => {
  switch (frame.type) {
    case "open": {
      const { from, kind, params } = frame;
      return framed(frame, offsetBytes(from), jsonBytes({ kind, params }));
    }
    case "data":
      return framed(frame, offsetBytes(frame.offset), frame.bytes);
    case "credit":
      return framed(frame, creditBytes(frame.bytes));
    case "end":
      return framed(frame, offsetBytes(frame.offset));
    case "abort": {
      const { code, message } = frame.reason;
      const told = { code, message: message.slice(0, MAX_MESSAGE) };
      return framed(frame, jsonBytes(told));
    }
    default:
      return unreachable(frame);
  }
};

/** Null when it is none. */
export const decodeFrame = (message: Uint8Array): Frame | null => {
  const bytes = Buffer.from(
    message.buffer,
    message.byteOffset,
    message.byteLength,
  );
  if (bytes.length < HEAD || bytes.length > MAX_FRAME) return null;
  const stream = bytes.readUInt32BE(1);
  const rest = bytes.subarray(HEAD);
  switch (bytes[0]) {
    case TYPES.open:
      return decodeOpen(stream, rest);
    case TYPES.data: {
      const offset = offsetIn(rest);
      const piece = rest.subarray(OFFSET);
      if (offset === null || piece.length === 0 || piece.length > MAX_PIECE)
        return null;
      return { type: "data", stream, offset, bytes: piece };
    }
    case TYPES.credit:
      return rest.length === 4
        ? { type: "credit", stream, bytes: rest.readUInt32BE(0) }
        : null;
    case TYPES.end: {
      const offset = rest.length === OFFSET ? offsetIn(rest) : null;
      return offset === null ? null : { type: "end", stream, offset };
    }
    case TYPES.abort: {
      const reason = AbortReason.safeParse(jsonIn(rest));
      return reason.success
        ? { type: "abort", stream, reason: reason.data }
        : null;
    }
    default:
      return null;
  }
};

const Opening = z.object({ kind: z.string(), params: z.unknown() });

const decodeOpen = (stream: number, rest: Buffer): Frame | null => {
  const from = offsetIn(rest);
  const opening = Opening.safeParse(jsonIn(rest.subarray(OFFSET)));
  if (from === null || !opening.success) return null;
  return { type: "open", stream, from, ...opening.data };
};

const framed = (
  { type, stream }: Frame,
  ...parts: readonly Uint8Array[]
): Buffer => {
  const head = Buffer.alloc(HEAD);
  head.writeUInt8(TYPES[type], 0);
  head.writeUInt32BE(stream, 1);
  return Buffer.concat([head, ...parts]);
};

const offsetBytes = (offset: number): Buffer => {
  const bytes = Buffer.alloc(OFFSET);
  bytes.writeBigUInt64BE(BigInt(offset));
  return bytes;
};

const creditBytes = (credit: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(credit);
  return bytes;
};

const offsetIn = (bytes: Buffer): number | null => {
  if (bytes.length < OFFSET) return null;
  const offset = Number(bytes.readBigUInt64BE(0));
  return Number.isSafeInteger(offset) ? offset : null;
};

const jsonBytes = (document: object): Buffer =>
  Buffer.from(JSON.stringify(document));

const jsonIn = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return null;
  }
};
