import type { LimitReached } from "../../contract/agent/prompt-limits.ts";
import { limitReached } from "../state/limits.ts";
import { runningTurn } from "../state/turns.ts";
import type { Decision } from "./decision.ts";
import type { Draft } from "./draft.ts";
import { closePermissions } from "./permissions.ts";

export const cancelTurn = (draft: Draft): Decision => {
  requestCancel(draft);
  return draft.done();
};

/** After the agent began a tool call, or asked for one: a turn that is beyond a limit is cancelled, and gets no answers. */
export const holdToLimits = (
  draft: Draft,
  asked: string | null = null,
): void => {
  const limit = limitReached(draft.state, asked);
  if (limit === null) return;
  if (runningTurn(draft.state)?.cancelling === true)
    return closePermissions(draft, "cancelled");
  requestCancel(draft, limit);
};

const requestCancel = (draft: Draft, limit?: LimitReached): void => {
  const turn = runningTurn(draft.state);
  if (turn === undefined || turn.cancelling) return;
  closePermissions(draft, "cancelled");
  draft.emit({
    type: "session.turn.cancel_requested",
    data: { turn: turn.number, ...(limit !== undefined && { limit }) },
  });
};
