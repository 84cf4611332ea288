/** What each turn in a shared directory did: from what it found to what it left. A rewind undoes only what is its own. */
import type { Checkpoint } from "../../contract/session/checkpoint.ts";
import {
  foundBy,
  isOfTurn,
  isRestorable,
  leftBy,
  newestBefore,
  type Restorable,
} from "../state/moment.ts";
import type { Turns } from "../state/state.ts";
import { isOnLine, type TurnLine, turnsOnLine } from "../state/turns.ts";

type Line = TurnLine & { turns: Pick<Turns, "rewinds"> };

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
  /** What that rewind left was not captured: what it did is not known. */
  | { kind: "unknown_rewind" };

/** What the session did since a checkpoint, turn by turn. */
export const windowsSince = (
  checkpoints: readonly Checkpoint[],
  state: Line,
  target: Restorable,
): OwnWindows => {
  const line = turnsOnLine(state);
  if (target.kind === "rewind") return sinceRewind(checkpoints, line, target);
  if (!isOnLine(state.turns, target.turn)) return { kind: "left_behind" };
  const windows: Window[] = [];
  const rest = restOfTurn(checkpoints, target);
  if (rest !== null) windows.push(rest);
  for (const turn of line.filter((each) => each > target.turn)) {
    const to = leftBy(checkpoints, turn);
    const from = to && foundBy(checkpoints, state.turns.rewinds, to);
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
  const [left] = after(checkpoints, target);
  if (left === undefined || !isRestorable(left))
    return { kind: "unknown_rewind" };
  const windows = allWindows(checkpoints).filter(
    ({ from }) => from.seq >= target.seq,
  );
  return { kind: "known", windows };
};

const after = (
  checkpoints: readonly Checkpoint[],
  { seq }: Restorable,
): Checkpoint[] => checkpoints.filter((each) => each.seq > seq);

/**
 * What a rewind left in the workspace; `target` was captured before it, and going back to it undoes the rewind. Null when a turn or
 * another rewind followed, or when it is unknown.
 */
export const leftByRewind = (
  checkpoints: readonly Checkpoint[],
  target: Restorable,
): Restorable | null => {
  if (target.kind !== "rewind") return null;
  const [left, ...later] = after(checkpoints, target);
  if (left?.kind !== "pause" || !isRestorable(left)) return null;
  return later.some(({ kind }) => kind === "turn" || kind === "rewind")
    ? null
    : left;
};

/**
 * Since a rewind whose result was not captured. A rewind that was done left what it went back to; all that differs from that
 * is somebody else's doing.
 */
const sinceUncaptured = (
  checkpoints: readonly Checkpoint[],
  rewinds: Turns["rewinds"],
  before: Restorable,
): Window[] => {
  const rewind = rewinds.find(({ undo_id }) => undo_id === before.id);
  const to = checkpoints.find(({ id }) => id === rewind?.checkpoint_id);
  return [
    ...(to !== undefined && isRestorable(to) ? [{ from: before, to }] : []),
    ...allWindows(checkpoints).filter(({ from }) => from.seq > before.seq),
  ];
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
  state: Line,
  target: Restorable,
): Window[] => {
  const own = windowsSince(checkpoints, state, target);
  if (own.kind === "known") return own.windows;
  if (own.kind === "unknown_rewind")
    return sinceUncaptured(checkpoints, state.turns.rewinds, target);
  const usable = checkpoints.filter(isRestorable);
  const rewind = usable.findLast(({ kind }) => kind === "rewind");
  const newest = usable.at(-1);
  // What a rewind left behind was told when it was made: what came since is what would be lost.
  if (own.kind === "left_behind" && rewind !== undefined) {
    const since = sinceRewind(checkpoints, turnsOnLine(state), rewind);
    if (since.kind === "known")
      return [{ from: target, to: rewind }, ...since.windows];
    if (since.kind === "unknown_rewind")
      return [
        { from: target, to: rewind },
        ...sinceUncaptured(checkpoints, state.turns.rewinds, rewind),
      ];
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
