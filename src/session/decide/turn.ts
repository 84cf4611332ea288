import type { Decision } from "./decision.ts";
import type { Draft } from "./draft.ts";
import { closePermissions } from "./permissions.ts";

export const cancelTurn = (draft: Draft): Decision => {
  const { lifecycle } = draft.state;
  if (lifecycle.name !== "RUNNING" || lifecycle.turn.cancelling)
    return draft.done();
  closePermissions(draft, "cancelled");
  draft.emit({
    type: "session.turn.cancel_requested",
    data: { turn: lifecycle.turn.number },
  });
  return draft.done();
};
