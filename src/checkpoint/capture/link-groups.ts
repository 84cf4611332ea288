import type { Arena } from "../trees/arena.ts";
import { byBytes } from "../format/byte-string.ts";
import { hashOf } from "../format/hash.ts";

/**
 * Gives files that are one file with several names a common number. It comes from the first of their paths, so that
 * it is the same in every checkpoint and on every machine. A name whose others lie elsewhere is alone, and has none.
 * Returns those whose number is new.
 */
export const groupLinks = (
  arena: Arena,
  linked: readonly number[],
): Set<number> => {
  const changed = new Set<number>();
  const byFile = new Map<string, number[]>();
  for (const row of linked) {
    if (arena.reason(row) !== null) continue;
    const file = `${arena.dev[row]}:${arena.ino[row]}`;
    const rows = byFile.get(file);
    if (rows === undefined) byFile.set(file, [row]);
    else rows.push(row);
  }
  for (const rows of byFile.values()) {
    const group = rows.length > 1 ? numberOf(arena, rows) : 0n;
    for (const row of rows) {
      if (arena.group[row] === group) continue;
      arena.group[row] = group;
      changed.add(row);
    }
  }
  return changed;
};

const numberOf = (arena: Arena, rows: readonly number[]): bigint => {
  const [first = ""] = rows.map((row) => arena.path(row)).sort(byBytes);
  return BigInt(`0x${hashOf(Buffer.from(first, "latin1")).slice(0, 16)}`) | 1n;
};
