import { randomBytes } from "node:crypto";

/** A UUID of version 7: its first 48 bits are the time, so ids sort by age. */
export const uuidV7 = (
  now: number,
  random: Uint8Array = randomBytes(10),
): string => {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes.set(random, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes
    .toString("hex")
    .replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
};

/** The time an id of version 7 was made, in ms; null for any other id. */
export const timeOfUuid = (id: string): number | null => {
  const match = /^([\da-f]{8})-([\da-f]{4})-7[\da-f]{3}-/.exec(id);
  return match === null ? null : Number.parseInt(`${match[1]}${match[2]}`, 16);
};
