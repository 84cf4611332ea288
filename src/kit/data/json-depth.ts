const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);

/**
 * Whether JSON nests deeper than `most`. Parsing survives any depth, but much that comes after it (comparing, cloning,
 * writing it out again) does not: whoever takes JSON from strangers looks first.
 */
export const isDeeperThan = (json: Uint8Array, most: number): boolean => {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i] ?? 0;
    if (inString) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (OPEN.has(byte)) {
      depth += 1;
      if (depth > most) return true;
    } else if (CLOSE.has(byte)) depth -= 1;
  }
  return false;
};
