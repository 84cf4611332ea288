/** Which turns the keys of a session mean. */
import type { Mark, TurnMark } from "../line/mark.ts";
import { rewindRefusal } from "../conversation/foot-words.ts";

interface InView {
  from: number;
  to: number;
}

/** The turn that `[` and `]` go to: the one before or behind the one at the top of the screen. */
export const neighbourTurn = (
  turns: readonly number[],
  inView: InView | null,
  step: -1 | 1,
): number | null => {
  if (inView === null) return null;
  return (
    (step === -1
      ? turns.findLast((turn) => turn < inView.from)
      : turns.find((turn) => turn > inView.from)) ?? null
  );
};

/** The last turn in view; the newest where nothing is. Null where there is none. */
export const turnInView = (
  line: readonly Mark[],
  inView: InView | null,
): number | null => inView?.to ?? newestTurn(line);

export const newestTurn = (line: readonly Mark[]): number | null =>
  turnsOf(line).findLast(({ behind }) => !behind)?.turn ?? null;

/** The turn that `W` goes back to: the last one in view that can be gone back to, or else the last before it. */
export const turnToRewind = (
  line: readonly Mark[],
  inView: InView | null,
): number | null => {
  const newest = newestTurn(line);
  if (newest === null) return null;
  const last = inView?.to ?? newest;
  return (
    turnsOf(line).findLast(
      (mark) =>
        mark.turn <= last &&
        !mark.behind &&
        rewindRefusal(mark, { newest }) === null,
    )?.turn ?? null
  );
};

const turnsOf = (line: readonly Mark[]): TurnMark[] =>
  line.filter((mark) => mark.kind === "turn");
