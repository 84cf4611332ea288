/** Finding and changing marks while they are folded. */
import type { Entry, TurnEntry } from "../state/line.ts";

export const isTurn = (entry: Entry): entry is TurnEntry =>
  entry.kind === "turn";

export const newestTurn = (entries: readonly Entry[]): TurnEntry | undefined =>
  entries.findLast(isTurn);

/** The beginning of a turn's prompt. */
export const promptOf = (
  { entries }: { entries: readonly Entry[] },
  turn: number,
): string =>
  entries.filter(isTurn).findLast((entry) => entry.turn === turn)?.prompt ?? "";

/** With a turn changed, where there is a mark of it. It is looked for from the end: turns that change are new. */
export const inTurn = (
  entries: readonly Entry[],
  turn: number,
  change: Partial<TurnEntry>,
): readonly Entry[] => {
  const i = entries.findLastIndex(
    (entry) => isTurn(entry) && entry.turn === turn,
  );
  const entry = entries[i];
  return entry !== undefined && isTurn(entry)
    ? entries.with(i, { ...entry, ...change })
    : entries;
};

/** Where the agent did not run: it waits for the resume that ends it, or has it. */
type Pause = Extract<Entry, { kind: "break" | "rest" }>;

const isPause = (entry: Entry): entry is Pause =>
  entry.kind === "break" || entry.kind === "rest";

export const newestPause = (entries: readonly Entry[]): Pause | undefined =>
  entries.findLast(isPause);

export const withResume = (
  entries: readonly Entry[],
  resumed: Pick<Pause, "resume" | "resumed_at">,
): readonly Entry[] => {
  const i = entries.findLastIndex(isPause);
  const entry = entries[i];
  return entry !== undefined && isPause(entry)
    ? entries.with(i, { ...entry, ...resumed })
    : entries;
};
