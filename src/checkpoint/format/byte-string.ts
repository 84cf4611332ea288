/**
 * Names of files are bytes, not text. Inside the engine a name or a path is a string with one character per byte
 * (0–255): it compares, joins and slices as bytes do, and costs no more than a string.
 */
export type ByteString = string;

/** What the file functions take: a plain string where bytes and text are the same. */
export const fsPath = (path: ByteString): string | Buffer =>
  isAscii(path) ? path : Buffer.from(path, "latin1");

/**
 * For people and programs: the text that the bytes are in UTF-8. A byte that is not part of any becomes a lone
 * surrogate (U+DC00 + byte), so that the way back finds the same bytes.
 */
export const toText = (bytes: ByteString): string => {
  if (isAscii(bytes)) return bytes;
  const buffer = Buffer.from(bytes, "latin1");
  const text = buffer.toString("utf8");
  return Buffer.from(text, "utf8").equals(buffer) ? text : escapeBytes(buffer);
};

export const fromText = (text: string): ByteString => {
  if (isAscii(text)) return text;
  let bytes = "";
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes +=
      code >= 0xdc80 && code <= 0xdcff
        ? String.fromCharCode(code - 0xdc00)
        : Buffer.from(character, "utf8").toString("latin1");
  }
  return bytes;
};

export const join = (directory: ByteString, name: ByteString): ByteString =>
  directory === "" ? name : `${directory}/${name}`;

export const parentOf = (path: ByteString): ByteString =>
  path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** The directories that a path is in: the nearest first, the root last. */
export const pathsAbove = (path: ByteString): ByteString[] => {
  const above: ByteString[] = [];
  for (let at = path; at !== "";) above.push((at = parentOf(at)));
  return above;
};

export const nameOf = (path: ByteString): ByteString =>
  path.slice(path.lastIndexOf("/") + 1);

/** Whether a path is the other one or lies beneath it. */
export const isWithin = (path: ByteString, above: ByteString): boolean =>
  above === "" || path === above || path.startsWith(`${above}/`);

/** By bytes, as everything here is sorted. */
export const byBytes = (a: ByteString, b: ByteString): number =>
  a < b ? -1 : a > b ? 1 : 0;

/** Anything else takes more than one byte in UTF-8. */
const isAscii = (text: string): boolean =>
  Buffer.byteLength(text, "utf8") === text.length;

/** Takes the longest piece that is UTF-8 at each place. */
const escapeBytes = (bytes: Buffer): string => {
  let text = "";
  for (let at = 0; at < bytes.length;) {
    const length = sequenceAt(bytes, at);
    text +=
      length === 0
        ? String.fromCharCode(0xdc00 + (bytes[at] ?? 0))
        : bytes.toString("utf8", at, at + length);
    at += Math.max(1, length);
  }
  return text;
};

/** How many bytes the character at this place has; 0 when there is none. */
const sequenceAt = (bytes: Buffer, at: number): number => {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length++) {
    const piece = bytes.subarray(at, at + length);
    if (Buffer.from(piece.toString("utf8"), "utf8").equals(piece))
      return length;
  }
  return 0;
};
