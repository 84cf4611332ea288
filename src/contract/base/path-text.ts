/**
 * Paths are bytes. As text a path is what its bytes are in UTF-8; a byte that is part of no character is a lone
 * surrogate (U+DC00 + byte), so that the way back finds the same bytes. In a URL the bytes are percent-encoded.
 */

/** The bytes of a path. */
export const bytesOfPath = (path: string): Uint8Array => {
  const bytes: number[] = [];
  for (const character of path) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= FIRST_LONE && code <= LAST_LONE) bytes.push(code - 0xdc00);
    else bytes.push(...encoder.encode(character));
  }
  return Uint8Array.from(bytes);
};

export const pathOfBytes = (bytes: Uint8Array): string => {
  let path = "";
  for (let at = 0; at < bytes.length;) {
    const length = sequenceAt(bytes, at);
    path +=
      length === 0
        ? String.fromCharCode(0xdc00 + (bytes[at] ?? 0))
        : decoded(bytes.subarray(at, at + length));
    at += Math.max(1, length);
  }
  return path;
};

/** Whether the bytes of a path are UTF-8. */
export const isPlainText = (path: string): boolean => !LONE.test(path);

/** A path as it stands in a URL; slashes stay. */
export const encodePath = (path: string): string => {
  let encoded = "";
  for (const byte of bytesOfPath(path)) {
    const character = String.fromCharCode(byte);
    encoded += UNRESERVED.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return encoded;
};

/** Null where a percent sign is followed by no byte. */
export const decodePath = (encoded: string): string | null => {
  if (/%(?![0-9a-fA-F]{2})/.test(encoded)) return null;
  const bytes: number[] = [];
  for (let at = 0; at < encoded.length;) {
    if (encoded[at] === "%") {
      bytes.push(Number.parseInt(encoded.slice(at + 1, at + 3), 16));
      at += 3;
      continue;
    }
    const character = String.fromCodePoint(encoded.codePointAt(at) ?? 0);
    bytes.push(...encoder.encode(character));
    at += character.length;
  }
  return pathOfBytes(Uint8Array.from(bytes));
};

const encoder = new TextEncoder();
const FIRST_LONE = 0xdc80;
const LAST_LONE = 0xdcff;
const LONE = /\p{Surrogate}/u;
const UNRESERVED = /[A-Za-z0-9\-._~/]/;

/** How many bytes the character at this place has; 0 when there is none. */
const sequenceAt = (bytes: Uint8Array, at: number): number => {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length++)
    if (isCharacter(bytes.subarray(at, at + length))) return length;
  return 0;
};

const isCharacter = (bytes: Uint8Array): boolean => {
  try {
    decoded(bytes);
    return true;
  } catch {
    return false;
  }
};

const decoded = (bytes: Uint8Array): string =>
  new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
