/** What rewinds and those who ask for one must know of a session. */
import type { State } from "./state.ts";

/** The newest turn and checkpoint. A rewind that was planned for others is refused. */
export const seenOf = ({ turns, checkpoints }: State) => ({
  last_turn: turns.last,
  checkpoint_id: checkpoints.newest?.id ?? null,
});

/** The workspace was captured for the rewind under way, so that the rewind can be undone. */
export const canUndoRewind = ({
  checkpoints: { newest, secured_at },
}: Pick<State, "checkpoints">): boolean =>
  newest?.kind === "rewind" && newest.at === secured_at;
