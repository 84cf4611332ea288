/**
 * What agentctl sends on a stream of the kind `shell`, message behind message. Numbers are big-endian.
 *
 *     0     1 … 8    9 … 12   13 …
 *     kind  offset   length   payload
 *     1 snapshot              cols (2) · rows (2) · what draws the screen
 *     2 output                bytes of the shell
 *     3 resized               cols (2) · rows (2)
 *     4 ended                 JSON: a `ShellEnd`
 */
import { ShellEnd } from "../session/shell.ts";

export type ShellMessage =
  | {
      kind: "snapshot";
      offset: number;
      cols: number;
      rows: number;
      bytes: Uint8Array;
    }
  | { kind: "output"; offset: number; bytes: Uint8Array }
  | { kind: "resized"; offset: number; cols: number; rows: number }
  | { kind: "ended"; offset: number; end: ShellEnd };

const HEAD = 13;
/** A longer one is nobody's screen. */
const MAX_LENGTH = 16 * 1024 * 1024;
const kinds = ["snapshot", "output", "resized", "ended"] as const;

export const encodeShellMessage = (message: ShellMessage): Uint8Array => {
  const parts = payloadOf(message);
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(HEAD + length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, kinds.indexOf(message.kind) + 1);
  view.setBigUint64(1, BigInt(message.offset));
  view.setUint32(9, length);
  let at = HEAD;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};

/** Puts pieces of a stream together again. Null stands for what is no message: nothing that follows can be understood. */
export class ShellMessages {
  #rest = new Uint8Array(0);

  *take(piece: Uint8Array): Generator<ShellMessage | null> {
    let bytes = joined(this.#rest, piece);
    while (bytes.length >= HEAD) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, HEAD);
      const length = view.getUint32(9);
      if (length > MAX_LENGTH) {
        yield null;
        return;
      }
      if (bytes.length < HEAD + length) break;
      const payload = bytes.subarray(HEAD, HEAD + length);
      const message = messageOf(view, payload);
      yield message;
      if (message === null) return;
      bytes = bytes.subarray(HEAD + length);
    }
    this.#rest = bytes.slice();
  }
}

const messageOf = (
  head: DataView,
  payload: Uint8Array,
): ShellMessage | null => {
  const kind = kinds[head.getUint8(0) - 1];
  const offset = Number(head.getBigUint64(1));
  if (kind === undefined || !Number.isSafeInteger(offset)) return null;
  if (kind === "output") return { kind, offset, bytes: payload };
  if (kind === "ended") {
    const end = ShellEnd.safeParse(jsonIn(payload));
    return end.success ? { kind, offset, end: end.data } : null;
  }
  if (payload.length < 4) return null;
  const view = new DataView(payload.buffer, payload.byteOffset, 4);
  const size = { cols: view.getUint16(0), rows: view.getUint16(2) };
  return kind === "resized"
    ? { kind, offset, ...size }
    : { kind, offset, ...size, bytes: payload.subarray(4) };
};

const payloadOf = (message: ShellMessage): Uint8Array[] => {
  switch (message.kind) {
    case "output":
      return [message.bytes];
    case "ended":
      return [new TextEncoder().encode(JSON.stringify(message.end))];
    case "resized":
      return [sizeBytes(message)];
    case "snapshot":
      return [sizeBytes(message), message.bytes];
  }
};

const sizeBytes = ({ cols, rows }: { cols: number; rows: number }) => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint16(0, cols);
  new DataView(bytes.buffer).setUint16(2, rows);
  return bytes;
};

const joined = (one: Uint8Array, other: Uint8Array): Uint8Array => {
  if (one.length === 0) return other;
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
};

const jsonIn = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
};
