/**
 * The turn in progress, and the line of turns that a session goes on from: a rewind leaves turns behind, and a turn whose
 * prompt was given back counts for nothing.
 */
import type { QueuedPrompt, Rewind, State, Turn, Turns } from "./state.ts";

/** The turn in progress. */
export const runningTurn = ({ lifecycle }: State): Turn | undefined =>
  lifecycle.name === "RUNNING" ? lifecycle.turn : undefined;

/** Changes the turn in progress, if there is one. */
export const inTurn = (state: State, change: (turn: Turn) => Turn): State =>
  state.lifecycle.name === "RUNNING"
    ? {
        ...state,
        lifecycle: { name: "RUNNING", turn: change(state.lifecycle.turn) },
      }
    : state;

/** What tells which turns a session goes on from. */
export interface TurnLine {
  turns: Spanned & Pick<Turns, "withdrawn">;
  prompts: { queue: readonly Pick<QueuedPrompt, "turn">[] };
}

interface Spanned {
  last: number;
  rewinds: readonly Pick<Rewind, "at" | "to">[];
}

/** The turns the session goes on from, oldest first: neither those that a rewind left behind nor those that it never had. */
export const turnsOnLine = (state: TurnLine): number[] => {
  const never = new Set(neverHad(state));
  return lineOf(state.turns).filter((turn) => !never.has(turn));
};

/** The turns that led to a turn, that one included, also where a rewind has left it behind since. */
export const turnsUpTo = (state: TurnLine, turn: number): number[] =>
  turnsOnLine({
    ...state,
    turns: {
      ...state.turns,
      last: turn,
      rewinds: state.turns.rewinds.filter(({ at }) => at < turn),
    },
  });

/** The turns on the line that were cut off, oldest first. */
export const turnsCut = (state: State): number[] => {
  const line = new Set(turnsOnLine(state));
  return state.turns.cut.filter((turn) => line.has(turn));
};

/** How many turns the agent should know of: those that are over and were not left behind. */
export const turnsKnown = ({ over, left_behind }: Turns): number =>
  over - left_behind;

/** Whether no rewind has left it behind. */
export const isOnLine = (turns: Spanned, turn: number): boolean =>
  turn === 0 || lineOf(turns).includes(turn);

/** The turn that the line ends with. Where nothing was said since the newest rewind, that is where it went to. */
export const lastTurnOnLine = ({ rewinds, last }: Spanned): number => {
  const newest = rewinds.at(-1);
  return newest?.at === last ? newest.to : last;
};

/** How many turns rewinds have left behind. */
export const countLeftBehind = (state: TurnLine): number => {
  const never = neverHad(state);
  const onLine = spansOf(state.turns).map(
    ({ first, last }) =>
      last - first + 1 - never.filter((t) => t >= first && t <= last).length,
  );
  return state.turns.last - never.length - onLine.reduce((a, b) => a + b, 0);
};

/** Turns that were begun and in which nothing was done: the prompt was given back. */
const neverHad = ({ turns, prompts }: TurnLine): number[] => [
  ...turns.withdrawn,
  ...prompts.queue.flatMap(begunBy),
];

/** The turn that a prompt has begun before it was given back. */
export const begunBy = ({ turn }: Pick<QueuedPrompt, "turn">): number[] =>
  turn === null ? [] : [turn];

const lineOf = (turns: Spanned): number[] =>
  spansOf(turns).flatMap(({ first, last }) =>
    Array.from({ length: last - first + 1 }, (_, i) => first + i),
  );

/** The line as spans of consecutive turns, oldest first. There are as many as rewinds, however many turns there are. */
const spansOf = (turns: Spanned) => {
  const { rewinds } = turns;
  const spans: { first: number; last: number }[] = [];
  let last = lastTurnOnLine(turns);
  while (last > 0) {
    const before = rewinds.findLast(({ at }) => at < last);
    spans.push({ first: (before?.at ?? 0) + 1, last });
    // A rewind goes back. One that does not, in a file from elsewhere, must not be followed for ever.
    last = before === undefined ? 0 : Math.min(before.to, before.at);
  }
  return spans.toReversed();
};
