import type { PermissionId } from "../../contract/id.ts";
import type { Command } from "../command.ts";
import type { Decision } from "./decision.ts";
import type { Draft } from "./draft.ts";

export const answerPermission = (
  draft: Draft,
  { permission_id, option_id }: Extract<Command, { type: "permission.answer" }>,
): Decision => {
  const { permissions } = draft.state;
  const permission = permissions.find((each) => each.id === permission_id);
  if (permission === undefined)
    return answerLate(draft, permission_id, option_id);
  if (permission.state === "answered")
    return permission.option_id === option_id
      ? draft.done()
      : draft.refuse(
          "permission_closed",
          "This request has been answered with another option.",
        );
  if (!permission.options.some((option) => option.id === option_id))
    return draft.refuse(
      "unknown_option",
      `Choose one of: ${permission.options.map((option) => option.id).join(", ")}.`,
    );
  draft.emit({
    type: "session.permission.answered",
    data: { id: permission_id, option_id },
  });
  return draft.done();
};

/** The same answer again is no error, also when the agent has it already. */
const answerLate = (
  draft: Draft,
  id: PermissionId,
  option_id: string,
): Decision => {
  const closed = draft.state.closed_permissions.find((each) => each.id === id);
  if (closed === undefined)
    return draft.refuse(
      "permission_not_found",
      "This session has no such permission request.",
    );
  if (closed.state === "answered" && closed.option_id === option_id)
    return draft.done();
  return draft.refuse(
    "permission_closed",
    closed.state === "answered"
      ? `This request has been answered with ${closed.option_id}.`
      : `This request was closed before it was answered (${closed.reason}).`,
  );
};
