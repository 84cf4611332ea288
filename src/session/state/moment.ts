/** Which checkpoint is meant: what a turn left, and what it found. */
import type {
  Checkpoint,
  GitState,
} from "../../contract/session/checkpoint.ts";
import type { Rewind, Workspace } from "./state.ts";
import { type TurnLine, turnsOnLine } from "./turns.ts";

/** One that there is something to restore from. */
export type Restorable = Checkpoint & { tree: string };

export const isRestorable = (
  checkpoint: Checkpoint,
): checkpoint is Restorable => checkpoint.tree !== null;

/** It was captured in another directory, before a fork or an import. Who has a worktree of its own has its own link. */
export const isMoved = (
  { cwd, worktree }: Pick<Workspace, "cwd" | "worktree">,
  checkpoint: Pick<Checkpoint, "cwd">,
): boolean => worktree === null && checkpoint.cwd !== cwd;

/**
 * What git had checked out then, for a session with a worktree of its own. What another session had on a branch of its
 * own, before a fork, this one has on its own.
 */
export const gitOf = (
  { cwd, worktree }: Pick<Workspace, "cwd" | "worktree">,
  checkpoint: Pick<Checkpoint, "cwd" | "git">,
): GitState | undefined => {
  const { git } = checkpoint;
  if (worktree === null || git === undefined) return undefined;
  return checkpoint.cwd === cwd
    ? git
    : { ...git, own: { on: true, tip: git.head } };
};

/** What a turn left: the newest one of it. Before the first turn, and in a fork, that is the baseline. */
export const leftBy = (
  checkpoints: readonly Checkpoint[],
  turn: number,
): Restorable | null =>
  checkpoints
    .filter(isRestorable)
    .findLast((each) => each.turn === turn && isOfTurn(each)) ?? null;

/** Whether it holds what a turn left. */
export const isOfTurn = ({ kind }: Pick<Checkpoint, "kind">): boolean =>
  kind === "turn" || kind === "baseline";

/** The newest turn that left something, of those that the session goes on from. */
export const newestOnLine = (
  checkpoints: readonly Checkpoint[],
  state: TurnLine,
): Restorable | null => {
  const line = new Set([0, ...turnsOnLine(state)]);
  return (
    checkpoints
      .filter(isRestorable)
      .findLast((each) => isOfTurn(each) && line.has(each.turn)) ?? null
  );
};

/** What the workspace held before what a checkpoint captured; for the checkpoint of a turn, what that turn found. Null when it is unknown. */
export const foundBy = (
  checkpoints: readonly Checkpoint[],
  rewinds: readonly Rewind[],
  to: Checkpoint,
): Restorable | null => {
  const newest = newestBefore(checkpoints.filter(isRestorable), to);
  if (newest === undefined) return null;
  return newest.kind === "rewind"
    ? afterRewind(checkpoints, rewinds, newest)
    : newest;
};

/** The newest one before; for what a turn left, the newest from before that turn. */
export const newestBefore = (
  checkpoints: readonly Restorable[],
  to: Checkpoint,
): Restorable | undefined =>
  checkpoints.findLast(
    ({ seq, kind, turn }) =>
      seq < to.seq &&
      !(to.kind === "turn" && kind === "safety" && turn === to.turn),
  );

/** A rewind's own checkpoint holds what was there before it. */
const afterRewind = (
  checkpoints: readonly Checkpoint[],
  rewinds: readonly Rewind[],
  before: Restorable,
): Restorable => {
  const rewind = rewinds.find(({ undo_id }) => undo_id === before.id);
  const target = checkpoints.find(({ id }) => id === rewind?.checkpoint_id);
  return target !== undefined && isRestorable(target) ? target : before;
};
