import { randomBytes } from "node:crypto";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** 26 characters of base 32: ten of time, sixteen random, so that ids sort by age. */
export const ulid = (
  now: number,
  random: Uint8Array = randomBytes(16),
): string => {
  let time = "";
  for (let rest = now, i = 0; i < 10; i++, rest = Math.floor(rest / 32))
    time = ALPHABET[rest % 32] + time;
  let noise = "";
  for (let i = 0; i < 16; i++) noise += ALPHABET[(random[i] ?? 0) % 32];
  return time + noise;
};

/** When an id was made, in milliseconds. */
export const timeOfUlid = (id: string): number => {
  let time = 0;
  for (const digit of id.slice(0, 10))
    time = time * 32 + ALPHABET.indexOf(digit);
  return time;
};
