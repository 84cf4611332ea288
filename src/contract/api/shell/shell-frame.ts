/**
 * What a shell shows, over the WebSocket: binary messages, which nothing else uses. Numbers are big-endian.
 *
 *     0        1     2 … 31      32 … 39   40 …
 *     version  kind  shell id    offset    payload
 *     1        1 snapshot        the output that it stands for ends here · cols (2) · rows (2) · bytes that draw the screen
 *              2 output          of its first byte · bytes of the shell
 *              3 resized         where it happened · cols (2) · rows (2)
 *              4 ended           the end of the output · JSON {reason, exit_code}
 *              5 detached        where to go on · JSON {code, message}
 *
 * Offsets count the bytes that the shell has shown since it was opened. Whoever has all of them up to N attaches again
 * with `after: N`. Nothing follows `ended` and `detached`.
 */
import { isRecord } from "../../base/is-record.ts";
import { isShellId, type ShellId } from "../../base/id.ts";
import { type ShellEnd, shellEndIn } from "../../session/shell.ts";

/** Why a connection is not attached any more: attach again, unless the code says that there is nothing any more. */
export interface Detached {
  /** A `ProblemCode`; a newer server may know others. */
  code: string;
  message: string;
}

interface Frame {
  shell_id: ShellId;
  offset: number;
}

export type ShellFrame = Frame &
  (
    | { kind: "snapshot"; cols: number; rows: number; bytes: Uint8Array }
    | { kind: "output"; bytes: Uint8Array }
    | { kind: "resized"; cols: number; rows: number }
    | { kind: "ended"; end: ShellEnd }
    | { kind: "detached"; why: Detached }
  );

export type ShellFrameKind = ShellFrame["kind"];

const VERSION = 1;
const HEAD = 40;
const ID_LENGTH = 30;
const kinds = ["snapshot", "output", "resized", "ended", "detached"] as const;

export const encodeShellFrame = (
  frame: ShellFrame,
): Uint8Array<ArrayBuffer> => {
  const parts = payloadOf(frame);
  const length = parts.reduce((sum, part) => sum + part.length, HEAD);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  bytes[0] = VERSION;
  bytes[1] = kinds.indexOf(frame.kind) + 1;
  bytes.set(new TextEncoder().encode(frame.shell_id), 2);
  view.setBigUint64(2 + ID_LENGTH, BigInt(frame.offset));
  let at = HEAD;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};

/** Null when it is none: damaged, or of a newer version. `bytes` of the frame are a view of the message. */
export const decodeShellFrame = (
  message: Uint8Array | ArrayBuffer,
): ShellFrame | null => {
  const bytes =
    message instanceof Uint8Array ? message : new Uint8Array(message);
  if (bytes.length < HEAD || bytes[0] !== VERSION) return null;
  const shell_id = textOf(bytes.subarray(2, 2 + ID_LENGTH));
  const offset = Number(viewOf(bytes).getBigUint64(2 + ID_LENGTH));
  const kind = kinds[(bytes[1] ?? 0) - 1];
  if (
    !isShellId(shell_id) ||
    !Number.isSafeInteger(offset) ||
    kind === undefined
  )
    return null;
  const head = { shell_id, offset };
  const payload = bytes.subarray(HEAD);
  switch (kind) {
    case "snapshot": {
      const size = sizeIn(payload);
      return size && { ...head, kind, ...size, bytes: payload.subarray(4) };
    }
    case "output":
      return { ...head, kind, bytes: payload };
    case "resized": {
      const size = payload.length === 4 ? sizeIn(payload) : null;
      return size && { ...head, kind, ...size };
    }
    case "ended": {
      const end = shellEndIn(jsonIn(payload));
      return end && { ...head, kind, end };
    }
    case "detached": {
      const why = detachedIn(jsonIn(payload));
      return why && { ...head, kind, why };
    }
  }
};

const detachedIn = (value: unknown): Detached | null => {
  if (!isRecord(value)) return null;
  const { code, message } = value;
  return typeof code === "string" && typeof message === "string"
    ? { code, message }
    : null;
};

const payloadOf = (frame: ShellFrame): Uint8Array[] => {
  switch (frame.kind) {
    case "snapshot":
      return [sizeBytes(frame), frame.bytes];
    case "output":
      return [frame.bytes];
    case "resized":
      return [sizeBytes(frame)];
    case "ended":
      return [jsonBytes(frame.end)];
    case "detached":
      return [jsonBytes(frame.why)];
  }
};

const sizeBytes = ({ cols, rows }: { cols: number; rows: number }) => {
  const bytes = new Uint8Array(4);
  viewOf(bytes).setUint16(0, cols);
  viewOf(bytes).setUint16(2, rows);
  return bytes;
};

const sizeIn = (bytes: Uint8Array): { cols: number; rows: number } | null => {
  if (bytes.length < 4) return null;
  const view = viewOf(bytes);
  return { cols: view.getUint16(0), rows: view.getUint16(2) };
};

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const jsonBytes = (document: object): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(document));

const jsonIn = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(textOf(bytes));
  } catch {
    return null;
  }
};
