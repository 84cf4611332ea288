/** The small line under a session's name. */
import type { Session } from "../../../src/contract/session/session.ts";
import { counted, money, rounded } from "../words/counts.ts";

export interface HeaderFacts {
  model: string | null;
  branch: string | null;
  /** `7 turns, 214k tokens, cost 1.20` */
  size: string;
}

export const headerFacts = (session: Session): HeaderFacts => ({
  model: session.applied?.model?.value ?? session.definition.model ?? null,
  branch: session.worktree_branch,
  size: [
    counted(session.turn_count - session.turns_left_behind, "turn"),
    ...(session.usage === null
      ? []
      : [`${rounded(session.usage.total_tokens)} tokens`]),
    ...(session.cost === null ? [] : [`cost ${money(session.cost)}`]),
  ].join(", "),
});
