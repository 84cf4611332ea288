/** What a request wants of a file: the range and the conditions of its headers (RFC 9110). Pure. */
import type {
  ByteRange,
  FileRead,
  FileWrite,
} from "../../contract/link/link-files.ts";
import { RepriseError } from "../../contract/problem/problem.ts";

type Header = (name: string) => string | undefined;

export const wantedRead = (header: Header, only_look: boolean): FileRead => {
  const range = rangeOf(header("range"));
  const if_match = strong(header("if-match"));
  const if_none_match = weak(header("if-none-match"));
  const if_range = header("if-range");
  return {
    only_look,
    ...(range !== null && { range }),
    ...(if_range !== undefined && { if_range }),
    ...(if_match !== undefined && { if_match }),
    ...(if_none_match !== undefined && { if_none_match }),
  };
};

export const wantedWrite = (header: Header): FileWrite => {
  const if_match = strong(header("if-match"));
  const none = header("if-none-match");
  if (none !== undefined && none.trim() !== "*")
    throw new RepriseError(
      "invalid_request",
      'A write takes "If-None-Match: *", which says that there must be no file yet, and no etag there.',
    );
  return {
    ...(if_match !== undefined && { if_match }),
    ...(none !== undefined && { if_none_match: "*" as const }),
  };
};

/** One range; several, or what is none, count as not said. */
const rangeOf = (header: string | undefined): ByteRange | null => {
  const match = /^\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(
    header ?? "",
  );
  const [, first = "", last = ""] = match ?? [];
  if (first === "") return last === "" ? null : { suffix: Number(last) };
  if (last === "") return { first: Number(first) };
  return Number(last) < Number(first)
    ? null
    : { first: Number(first), last: Number(last) };
};

type Etags = "*" | string[];

/** For what must not be lost: an etag that is marked as weak is none of ours. */
const strong = (header: string | undefined): Etags | undefined =>
  header === undefined ? undefined : etagsIn(header);

const weak = (header: string | undefined): Etags | undefined =>
  header === undefined
    ? undefined
    : etagsIn(header.replaceAll(/(^|,)\s*W\//g, "$1"));

const etagsIn = (header: string): Etags =>
  header.trim() === "*" ? "*" : header.split(",").map((etag) => etag.trim());
