import type { StateName } from "../../contract/state.ts";
import type { Command } from "../command.ts";
import { strategyFor } from "../resume.ts";
import { breakTurn, closePermissions, endExecution } from "./close.ts";
import type { Decision } from "./decision.ts";
import { nothing } from "./decision.ts";
import type { Draft } from "./draft.ts";
import { askForAgent } from "./start.ts";
import { stop } from "./stop.ts";

export const pause = (
  draft: Draft,
  { reason }: Extract<Command, { type: "session.pause" }>,
): Decision => {
  const { lifecycle, execution } = draft.state;
  if (execution === null) draft.changed(lifecycle.name, "PAUSED", reason);
  else if (
    execution.phase.kind !== "stopping" ||
    execution.phase.again !== null
  )
    stop(draft, reason);
  return draft.done();
};

export const resume = (
  draft: Draft,
  { trigger }: Extract<Command, { type: "session.resume" }>,
): Decision => {
  // Nobody asked for it by name: an agent that would remember nothing is not started.
  if (trigger === "startup" && strategyFor(draft.state) === "fresh")
    draft.notice(
      "warning",
      "not_resumable",
      "This agent cannot resume previous sessions. Create a new session, or prompt this one to start it without its memory.",
    );
  else askForAgent(draft, trigger);
  return draft.done();
};

/** Ends a session for good, whatever it is doing. Its agent is stopped afterwards. */
export const end = (
  draft: Draft,
  { outcome, reason }: Extract<Command, { type: "session.end" }>,
): Decision => {
  const from = draft.state.lifecycle.name;
  closePermissions(draft, "ended");
  breakTurn(draft, "The session was ended.", "unknown");
  for (const { id } of draft.state.queue)
    draft.emit({ type: "session.prompt.cancelled", data: { prompt_id: id } });
  draft.emit({ type: "session.ended", data: { outcome, reason } });
  draft.changed(from, endOf(outcome), reason);
  if (
    draft.state.execution !== null &&
    draft.state.execution.phase.kind !== "stopping"
  )
    stop(draft, "requested");
  return draft.done();
};

const endOf = (outcome: "completed" | "cancelled" | "failed"): StateName =>
  outcome === "completed"
    ? "COMPLETED"
    : outcome === "cancelled"
      ? "CANCELLED"
      : "FAILED";

/** Compares the session with the world and repairs what does not fit (P10). */
export const recover = (
  draft: Draft,
  { report }: Extract<Command, { type: "session.recover" }>,
): Decision => {
  if (draft.state.execution === null || report.agent !== "gone") return nothing;
  endExecution(draft, {
    ending: { kind: "vanished" },
    stderr_tail: "",
    notTaken: "unknown",
  });
  return draft.done();
};

export const cancelTurn = (draft: Draft): Decision => {
  const { lifecycle } = draft.state;
  if (lifecycle.name !== "RUNNING" || lifecycle.turn.cancelling) return nothing;
  closePermissions(draft, "cancelled");
  draft.emit({
    type: "session.turn.cancel_requested",
    data: { turn: lifecycle.turn.number },
  });
  return draft.done();
};

export const answerPermission = (
  draft: Draft,
  { permission_id, option_id }: Extract<Command, { type: "permission.answer" }>,
): Decision => {
  const { permissions, closed_permissions } = draft.state;
  const permission = permissions.find((each) => each.id === permission_id);
  if (permission === undefined)
    return closed_permissions.includes(permission_id)
      ? draft.refuse(
          "permission_closed",
          "This request has been answered or closed.",
        )
      : draft.refuse(
          "permission_not_found",
          "This session has no such permission request.",
        );
  if (permission.state === "answered")
    return permission.option_id === option_id
      ? nothing
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
