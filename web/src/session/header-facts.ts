/** The small line under a session's name. */
import type { Session } from "../../../src/contract/session/session.ts";
import { counted, money, rounded } from "../words/counts.ts";
import { legibleName } from "../words/legible.ts";

export interface HeaderFacts {
  model: string | null;
  branch: string | null;
  /** `7 turns, 214k tokens, cost 1.20`; empty before the first turn has ended. */
  size: string;
}

export const headerFacts = (session: Session): HeaderFacts => {
  const turns = session.turn_count - session.turns_left_behind;
  const model = session.applied?.model?.value ?? session.definition.model;
  const { worktree_branch: branch } = session;
  return {
    model: model === undefined || model === null ? null : legibleName(model),
    branch: branch === null ? null : legibleName(branch),
    size: [
      ...(turns === 0 ? [] : [counted(turns, "turn")]),
      ...(session.usage === null
        ? []
        : [`${rounded(session.usage.total_tokens)} tokens`]),
      ...(session.cost === null ? [] : [`cost ${money(session.cost)}`]),
    ].join(", "),
  };
};
