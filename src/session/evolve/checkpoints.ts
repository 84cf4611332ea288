/** Which checkpoint is due, and which is the newest. */
import type { Checkpoint } from "../../contract/session/checkpoint.ts";
import type { DueCheckpoint, State } from "../state/state.ts";
import { lastTurnOnLine } from "../state/turns.ts";

export const captured = (state: State, checkpoint: Checkpoint): State => {
  const { due, newest } = state.checkpoints;
  return {
    ...state,
    checkpoints: {
      ...state.checkpoints,
      due: isSameKind(due, checkpoint) ? null : due,
      newest: checkpoint.tree === null ? newest : checkpoint,
      failure: checkpoint.outcome === "failed" ? checkpoint.reason : null,
      secured_at: checkpoint.at,
    },
  };
};

export const withDue = (state: State, due: DueCheckpoint | null): State => ({
  ...state,
  checkpoints: { ...state.checkpoints, due },
});

export const withoutDue = (state: State, skipped: DueCheckpoint): State =>
  isSameKind(state.checkpoints.due, skipped) ? withDue(state, null) : state;

/** The kind is enough: `decide` has compared the turns. Journals of older releases name another turn after a rewind. */
const isSameKind = (due: DueCheckpoint | null, { kind }: DueCheckpoint) =>
  due?.kind === kind;

/** A pause makes a checkpoint due, because the person may have changed the workspace since the last turn. */
export const dueAtEnd = (state: State): DueCheckpoint | null => {
  const { enabled, due } = state.checkpoints;
  const phase = state.execution?.phase;
  const rests =
    phase?.kind === "stopping" &&
    (phase.reason === "paused" || phase.reason === "idle");
  const isFree = due === null || due.kind === "start";
  return rests && enabled && isFree
    ? { kind: "pause", turn: lastTurnOnLine(state.turns) }
    : due;
};
