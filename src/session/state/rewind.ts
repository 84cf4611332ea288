/** What rewinds and those who ask for one must know of a session. */
import type { State } from "./state.ts";

/** How far a session has come, for whoever finds out what a rewind is to undo. */
export const seenOf = ({ turns, checkpoints }: State) => ({
  last_turn: turns.last,
  checkpoint_id: checkpoints.newest?.id ?? null,
});

/** What is there was captured for the rewind under way: whoever regrets it finds it again. */
export const canUndoRewind = ({
  checkpoints: { newest, secured_at },
}: Pick<State, "checkpoints">): boolean =>
  newest?.kind === "rewind" && newest.at === secured_at;
