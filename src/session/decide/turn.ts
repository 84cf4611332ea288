import { usedUpWords } from "../../contract/base/budget.ts";
import type { LimitReached } from "../../contract/agent/prompt-limits.ts";
import { usedUpAt } from "../state/limits/budget.ts";
import { limitReached, overdue } from "../state/limits/limits.ts";
import { runningTurn } from "../state/turns.ts";
import type { Decision } from "./decision.ts";
import type { Draft } from "./draft.ts";
import { closePermissions } from "./permissions.ts";
import { stop } from "./stop.ts";

export const cancelTurn = (draft: Draft): Decision => {
  requestCancel(draft);
  return draft.done();
};

/** After whatever the agent said or did: a turn that is beyond a limit is cancelled, and gets no answers. */
export const holdToLimits = (
  draft: Draft,
  asked: string | null = null,
): void => {
  noteBudget(draft);
  const limit = limitReached(draft.state, asked);
  if (limit === null) return;
  if (runningTurn(draft.state)?.cancelling !== true)
    return requestCancel(draft, limit);
  if (draft.state.permissions.pending.length > 0)
    closePermissions(draft, "cancelled");
};

/** Time has passed in which the agent said nothing. One that does not end a turn that was cancelled for a limit is stopped. */
export const holdTurn = (draft: Draft): Decision => {
  const what = overdue(draft.state, draft.at);
  if (what === "budget") holdToLimits(draft);
  if (what === "cancel") requestCancel(draft, "budget");
  if (what === "stop") stop(draft, "paused");
  return draft.done();
};

/** Says once that something of the budget is used up. */
export const noteBudget = (draft: Draft): void => {
  if (draft.state.budget.reached !== null) return;
  const used = usedUpAt(draft.state, draft.at);
  if (used === null) return;
  draft.emit({ type: "session.budget.reached", data: used });
  draft.notice(
    "warning",
    "budget_reached",
    `The budget of the session is used up: ${usedUpWords(used)}. It takes no prompts until the budget is raised.`,
  );
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
