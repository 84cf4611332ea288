import { byBytes, type ByteString } from "../format/byte-string.ts";
import { namesIn, stat, type Look } from "./look.ts";

/** A directory in which names keep moving is listed so often. */
const TRIES = 3;

/**
 * The names in a directory whose ctime is known, sorted. A name that is moved or replaced while a directory is listed may be
 * missed or come twice, though it was there all the time. So a directory that changes meanwhile is listed again, and all
 * names that were seen count: the scan looks at each of them anyway.
 */
export const listNames = (
  path: ByteString,
  ctimeMs: number,
  isYoung: (ctimeMs: number) => boolean,
): Look<ByteString[]> => {
  const seen = new Set<ByteString>();
  let before = ctimeMs;
  for (let left = TRIES; left > 0; left--) {
    const names = namesIn(path);
    if (typeof names === "string") return names;
    for (const name of names) seen.add(name);
    const now = stat(path);
    if (typeof now === "string") return now;
    if (now.ctimeMs === before && !isYoung(before)) break;
    before = now.ctimeMs;
  }
  return [...seen].sort(byBytes);
};
