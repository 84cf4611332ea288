/** stream (1 byte), three of zero, size (4 bytes, big endian), then as many bytes. */
const HEADER = 8;
const MAX_CHARS = 2000;

/** What a container without a terminal printed, from the frames in which an engine tells it. */
export const lastLines = (frames: Buffer): string => {
  const parts: Buffer[] = [];
  for (let at = 0; at + HEADER <= frames.length;) {
    const from = at + HEADER;
    at = from + frames.readUInt32BE(at + 4);
    parts.push(frames.subarray(from, at));
  }
  return Buffer.concat(parts).toString("utf8").trim().slice(-MAX_CHARS);
};
