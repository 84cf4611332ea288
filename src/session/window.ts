/** What each turn in a shared directory did: from what it found to what it left. A rewind undoes only what is its own. */
import type { Checkpoint } from "../contract/checkpoint.ts";
import { isOnLine, turnsOnLine } from "./history.ts";
import {
  foundBy,
  isOfTurn,
  isRestorable,
  leftBy,
  newestBefore,
  type Restorable,
} from "./moment.ts";
import type { State } from "./state.ts";

export interface Window {
  from: Restorable;
  to: Restorable;
}

export type OwnWindows =
  | { kind: "known"; windows: Window[] }
  /** Of this turn it was not captured what it did, so that it cannot be told from what others did. */
  | { kind: "unknown"; turn: number }
  /** A rewind left that moment behind: what would have to be undone is not only what turns did. */
  | { kind: "left_behind" }
  /** Nothing was captured since that rewind: what it did is not known. */
  | { kind: "unknown_rewind" };

/** What the session did since a checkpoint, turn by turn. */
export const windowsSince = (
  checkpoints: readonly Checkpoint[],
  state: Pick<State, "rewinds" | "last_turn" | "withdrawn" | "queue">,
  target: Restorable,
): OwnWindows => {
  const line = turnsOnLine(state);
  if (target.kind === "rewind") return sinceRewind(checkpoints, line, target);
  if (!isOnLine(state, target.turn)) return { kind: "left_behind" };
  const windows: Window[] = [];
  const rest = restOfTurn(checkpoints, target);
  if (rest !== null) windows.push(rest);
  for (const turn of line.filter((each) => each > target.turn)) {
    const to = leftBy(checkpoints, turn);
    const from = to && foundBy(checkpoints, state.rewinds, to);
    if (to === null || from === null) return { kind: "unknown", turn };
    windows.push({ from, to });
  }
  return { kind: "known", windows };
};

/** What is undone is the rewind itself, whether it was done or broke off, and all that came after it. */
const sinceRewind = (
  checkpoints: readonly Checkpoint[],
  line: readonly number[],
  target: Restorable,
): OwnWindows => {
  const before = newestOver(checkpoints, target.seq);
  const lost = line.find(
    (turn) => turn > before && leftBy(checkpoints, turn) === null,
  );
  if (lost !== undefined) return { kind: "unknown", turn: lost };
  const windows = allWindows(checkpoints).filter(
    ({ from }) => from.seq >= target.seq,
  );
  return windows.length === 0
    ? { kind: "unknown_rewind" }
    : { kind: "known", windows };
};

/** What the rewind left that is to be undone, where no turn and no other rewind came since. */
export const leftByRewind = (
  checkpoints: readonly Checkpoint[],
  target: Restorable,
): Restorable | null => {
  if (target.kind !== "rewind") return null;
  const [rewind, ...later] = allWindows(checkpoints).filter(
    ({ from }) => from.seq >= target.seq,
  );
  return rewind?.to.kind === "pause" && later.length === 0 ? rewind.to : null;
};

/** The newest turn that was over by then, whether it could be captured or not. */
const newestOver = (checkpoints: readonly Checkpoint[], by: number): number =>
  Math.max(
    0,
    ...checkpoints
      .filter((each) => each.seq <= by && isOfTurn(each))
      .map(({ turn }) => turn),
  );

/**
 * What the session did since a checkpoint, as far as it is known: what lies between is somebody else's doing. Where a turn
 * was not captured, it cannot be told from what a person did, and counts as the session's.
 */
export const turnsSince = (
  checkpoints: readonly Checkpoint[],
  state: Pick<State, "rewinds" | "last_turn" | "withdrawn" | "queue">,
  target: Restorable,
): Window[] => {
  const own = windowsSince(checkpoints, state, target);
  if (own.kind === "known") return own.windows;
  const usable = checkpoints.filter(isRestorable);
  const rewind = usable.findLast(({ kind }) => kind === "rewind");
  const newest = usable.at(-1);
  // What a rewind left behind was told when it was made: what came since is what would be lost.
  if (own.kind === "left_behind" && rewind !== undefined) {
    const since = sinceRewind(checkpoints, turnsOnLine(state), rewind);
    if (since.kind === "known")
      return [{ from: target, to: rewind }, ...since.windows];
  }
  return newest === undefined ? [] : [{ from: target, to: newest }];
};

/** A turn that was captured on the way has gone on since. */
const restOfTurn = (
  checkpoints: readonly Checkpoint[],
  target: Restorable,
): Window | null => {
  if (target.kind !== "safety" && target.kind !== "start") return null;
  const to = leftBy(checkpoints, target.turn);
  return to === null || to.seq < target.seq ? null : { from: target, to };
};

/** Everything a session did, rewinds too. */
export const allWindows = (checkpoints: readonly Checkpoint[]): Window[] => {
  const usable = checkpoints.filter(isRestorable);
  return usable.flatMap((to, i) => {
    const before = usable[i - 1];
    if (before === undefined) return [];
    const from = newestBefore(usable, to) ?? before;
    return to.kind === "turn" || before.kind === "rewind" ? [{ from, to }] : [];
  });
};

/** Those of others that went on while one of these did. */
export const overlapping = (
  own: readonly Window[],
  others: readonly Window[],
): Window[] =>
  others.filter((other) =>
    own.some(
      ({ from, to }) => isBefore(other.from, to) && isBefore(from, other.to),
    ),
  );

/** By their order, which no clock changes; by their times where a release before told no order. */
const isBefore = (one: Restorable, other: Restorable): boolean =>
  one.order !== undefined && other.order !== undefined
    ? one.order < other.order
    : one.at < other.at;
