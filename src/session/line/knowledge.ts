import type { Knowledge, Remembered } from "../../contract/session/line.ts";

/** Everything that it took part in. */
export const allOwn: Knowledge = { none: 0, told: 0, reminded: [] };

/** The whole history is given to it as text. */
export const toldUpTo = (turn: number): Knowledge => ({
  none: 0,
  told: turn,
  reminded: [],
});

export const nothingUpTo = (turn: number): Knowledge => ({
  none: turn,
  told: turn,
  reminded: [],
});

/** The oldest turns did not fit into the history. */
export const withoutOldest = (
  knowledge: Knowledge,
  turn: number,
): Knowledge => ({ ...knowledge, none: Math.min(turn, knowledge.told) });

/** Only the newest ones that were cut off are told apart. */
const MAX_REMINDED = 1000;

export const remindedOf = (
  knowledge: Knowledge,
  turns: readonly number[],
): Knowledge => {
  const known = new Set([...knowledge.reminded, ...turns]);
  return { ...knowledge, reminded: [...known].slice(-MAX_REMINDED) };
};

export const rememberedOf = (
  { none, told, reminded }: Knowledge,
  turn: number,
): Remembered => {
  if (turn <= none) return "none";
  return turn <= told || reminded.includes(turn) ? "told" : "own";
};

export const isSame = (one: Knowledge, other: Knowledge): boolean =>
  one.none === other.none &&
  one.told === other.told &&
  one.reminded.length === other.reminded.length &&
  one.reminded.every((turn, i) => turn === other.reminded[i]);
