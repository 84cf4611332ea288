/** How what a command printed is told. */
import type { ExecRequest } from "../../../contract/api/run-route.ts";

type Encoding = ExecRequest["encoding"];

/** What stands for bytes in an answer. A text that was cut begins with a whole character. */
export const encoded = (
  bytes: Buffer,
  total: number,
  encoding: Encoding,
): string => {
  if (encoding === "base64") return bytes.toString("base64");
  const from = total > bytes.length ? firstWhole(bytes) : 0;
  return bytes.subarray(from).toString("utf8");
};

/** Bytes `10xxxxxx` continue a character, and it has at most three of them. */
const firstWhole = (bytes: Buffer): number => {
  let at = 0;
  while (at < 3 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
  return at;
};

/** The end of an output that was told so: at most so many bytes of it. */
export const shortened = (
  text: string,
  max: number,
  encoding: Encoding,
): string => {
  const bytes = Buffer.from(text, encoding === "base64" ? "base64" : "utf8");
  return bytes.length <= max
    ? text
    : encoded(bytes.subarray(-max), bytes.length, encoding);
};
