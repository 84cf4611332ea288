/** What a file is by what the system says of it, and what follows for who asks for it. Pure. */
import type { BigIntStats } from "node:fs";
import type { ByteRange, FileHead } from "../../../contract/link/link-files.ts";
import { LinkError } from "../../../contract/link/link-error.ts";
import { MAX_READ_BYTES } from "../../../contract/base/file-limits.ts";
import type { FileState } from "../../../contract/session/workspace-file.ts";

type Stat = Pick<
  BigIntStats,
  "dev" | "ino" | "size" | "mtimeNs" | "ctimeNs" | "mtimeMs"
>;

export const stateOf = (stat: Stat): FileState => ({
  etag: etagOf(stat),
  size: Number(stat.size),
  modified_at: timeOf(stat.mtimeMs),
});

/** Times that no calendar has are shown as its ends. */
export const timeOf = (ms: bigint): string =>
  new Date(Math.min(Math.max(Number(ms), FIRST_YEAR), LAST_YEAR)).toISOString();

const FIRST_YEAR = Date.UTC(1, 0, 1) - 1900 * 365.25 * 86_400_000;
const LAST_YEAR = Date.UTC(9999, 11, 31);

const etagOf = ({ dev, ino, size, mtimeNs, ctimeNs }: Stat): string =>
  `"${[dev, ino, size, mtimeNs, ctimeNs].map((n) => n.toString(36)).join("-")}"`;

type Etags = "*" | readonly string[];

export interface Conditions {
  if_match?: Etags;
  if_none_match?: Etags;
}

/** Refuses a write unless what is there, or that nothing is, is what the caller knows. */
export const checkWrite = (
  { if_match, if_none_match }: Conditions,
  current: string | null,
): void => {
  if (if_match !== undefined && !matches(if_match, current))
    throw new LinkError(
      "precondition_failed",
      current === null
        ? "There is no such file any more. Nothing was written."
        : "The file was changed since it was read. Nothing was written: read it again.",
    );
  if (if_none_match !== undefined && matches(if_none_match, current))
    throw new LinkError(
      "precondition_failed",
      "The file is there already. Nothing was written.",
    );
};

export interface Asked extends Conditions {
  range?: ByteRange;
  if_range?: string;
  only_look: boolean;
}

/** Which bytes of a file answer who asks. */
export const sentOf = (
  asked: Asked,
  { etag, size }: FileState,
): Pick<Extract<FileHead, { kind: "file" }>, "sent" | "start" | "length"> => {
  if (asked.if_match !== undefined && !matches(asked.if_match, etag))
    throw new LinkError(
      "precondition_failed",
      "The file was changed since it was read.",
    );
  if (asked.if_none_match !== undefined && matches(asked.if_none_match, etag))
    return nothing("unchanged");
  if (asked.only_look) return nothing("look");
  if (asked.range !== undefined && (asked.if_range ?? etag) === etag)
    return rangeIn(asked.range, size);
  if (size > MAX_READ_BYTES)
    throw new LinkError(
      "file_too_large",
      `The file has ${size} bytes, and one read tells at most ${MAX_READ_BYTES}. Ask for it range by range (\`Range: bytes=0-\`).`,
    );
  return { sent: "whole", start: 0, length: size };
};

/** No longer than one read may be: the answer says which bytes it holds. */
const rangeIn = (range: ByteRange, size: number) => {
  const suffix = "suffix" in range;
  const start = suffix ? Math.max(0, size - range.suffix) : range.first;
  const last = suffix ? size - 1 : Math.min(range.last ?? size - 1, size - 1);
  if (start >= size || last < start || (suffix && range.suffix === 0))
    return nothing("unsatisfiable");
  const length = Math.min(last - start + 1, MAX_READ_BYTES);
  return { sent: "partial" as const, start, length };
};

const nothing = (sent: "unchanged" | "unsatisfiable" | "look") => ({
  sent,
  start: 0,
  length: 0,
});

const matches = (wanted: Etags, etag: string | null): boolean =>
  etag !== null && (wanted === "*" || wanted.includes(etag));

/** Whether bytes that a file begins with are text; the last character may be cut. */
export const isText = (bytes: Uint8Array): boolean => {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
};
