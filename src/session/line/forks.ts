import type { LineAnswer, Mark } from "../../contract/session/line.ts";
import type { Session } from "../../contract/session/session.ts";

/** So many forks of a session are shown, the newest first. */
export const MAX_FORKS = 100;

/** With the sessions that were forked, at the turns that they were made from. */
export const withForks = (
  line: LineAnswer,
  forks: readonly Pick<Session, "id" | "parent">[],
): LineAnswer => {
  if (forks.length === 0) return line;
  const byTurn = Map.groupBy(forks, ({ parent }) => parent?.turn ?? null);
  const marks = line.marks.map((mark): Mark => {
    if (mark.kind !== "turn") return mark;
    const made = byTurn.get(mark.turn) ?? [];
    return { ...mark, forks: made.map(({ id }) => id) };
  });
  return { ...line, marks };
};
