/** What a file is to who looks at it: text, a picture, or neither. */

export type FileContent =
  | { kind: "empty" }
  | { kind: "text"; text: string }
  /** `type` was found in the bytes, never told by anybody. */
  | { kind: "image"; type: ImageType }
  | { kind: "binary" };

export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

export const contentOf = (
  { text, size }: { text: boolean; size: number },
  bytes: Uint8Array,
): FileContent => {
  if (size === 0) return { kind: "empty" };
  const type = imageTypeOf(bytes);
  if (type !== null && size <= MAX_IMAGE_BYTES) return { kind: "image", type };
  if (!text) return { kind: "binary" };
  return { kind: "text", text: decoded(bytes, bytes.length < size) };
};

/** A larger picture is told as binary: it would stand in the document as text. */
export const MAX_IMAGE_BYTES = 4 * 1024 * 1024;

/** SVG is not among them: it is text, and is shown as text. */
export const imageTypeOf = (bytes: Uint8Array): ImageType | null => {
  const starts = (signature: readonly number[], at = 0): boolean =>
    signature.every((byte, i) => bytes[at + i] === byte);
  if (starts([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
    return "image/png";
  if (starts([0xff, 0xd8, 0xff])) return "image/jpeg";
  if (starts([0x47, 0x49, 0x46, 0x38])) return "image/gif";
  if (starts([0x52, 0x49, 0x46, 0x46]) && starts([0x57, 0x45, 0x42, 0x50], 8))
    return "image/webp";
  return null;
};

/** `isCut`: more bytes follow, so a character that is cut at the end is left out. */
export const decoded = (bytes: Uint8Array, isCut: boolean): string =>
  new TextDecoder("utf-8").decode(bytes, { stream: isCut });

export const joined = (first: Uint8Array, second: Uint8Array): Uint8Array => {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
};

/** Without an empty line behind the last end of line. */
export const linesOf = (text: string): string[] => {
  const lines = text.split(/\r\n|\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
};
