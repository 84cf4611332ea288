import type { AskedTool } from "../../contract/agent/asked-tool.ts";
import type { PermissionId } from "../../contract/base/id.ts";
import type {
  Permission,
  PermissionCloseReason,
} from "../../contract/agent/permission.ts";
import type { ReportItem } from "../../contract/link/report.ts";
import { entriesOf } from "../../kit/data/persistent-map.ts";
import type { Command } from "../state/command.ts";
import { askedToolOf, mergeAsked, nothingAsked } from "../state/asked-tool.ts";
import { isAnswerUnderWay, MAX_PENDING } from "../evolve/permissions.ts";
import { answerByPolicy } from "../policy/policy.ts";
import { limitReached } from "../state/limits/limits.ts";
import type { State } from "../state/state.ts";
import { toldOf } from "../state/tool-calls.ts";
import { runningTurn } from "../state/turns.ts";
import type { Decision } from "./decision.ts";
import type { Draft } from "./draft.ts";

type Item<K extends ReportItem["kind"]> = Extract<ReportItem, { kind: K }>;

/** The agent asks. The policy answers at once where it can; a request beyond the limit is closed at once. */
export const recordPermission = (
  draft: Draft,
  item: Item<"permission_requested">,
): void => {
  const { agent, turns, permissions } = draft.state;
  const { permission_id: id } = item;
  const before = toldBefore(draft.state, item);
  const { limits } = runningTurn(draft.state) ?? {};
  const isStopped =
    draft.state.budget.reached !== null ||
    limitReached(draft.state, item.tool_call_id) !== null;
  const option_id = isStopped
    ? null
    : answerByPolicy(agent.definition, item, before, limits);
  draft.emit({
    type: "session.permission.requested",
    data: {
      permission: {
        id,
        turn: turns.last,
        title: item.title,
        tool_kind: item.tool_kind,
        tool_name: item.tool_name ?? null,
        tool: askedIn(before, item),
        options: item.options,
        state: "pending",
      },
      ...(option_id !== null && { answered_by: "policy" }),
    },
  });
  if (option_id !== null)
    draft.emit({
      type: "session.permission.answered",
      data: { id, option_id, by: "policy" },
    });
  else if (permissions.pending.length >= MAX_PENDING)
    close(draft, id, "too_many");
};

/** The call as the request describes it, and as the agent described it before it asked. */
const askedIn = (
  before: AskedTool | null,
  item: Item<"permission_requested">,
): AskedTool => {
  const { tool_call_id: id, title, tool_kind: kind } = item;
  const request =
    item.tool === undefined
      ? { ...nothingAsked, id, title, kind }
      : askedToolOf(item.tool);
  return mergeAsked(before ?? nothingAsked, request);
};

const toldBefore = (
  { output }: State,
  { tool_call_id: id }: Item<"permission_requested">,
): AskedTool | null => (id === null ? null : toldOf(output.tools, id));

export const recordAnswerDelivered = (
  draft: Draft,
  { permission_id: id }: Item<"answer_delivered">,
): void => {
  if (isAnswerUnderWay(draft.state.permissions, id))
    draft.emit({ type: "session.permission.delivered", data: { id } });
};

export const closePermissions = (
  draft: Draft,
  reason: PermissionCloseReason,
): void => {
  const { pending, answers } = draft.state.permissions;
  for (const { id } of pending) close(draft, id, reason);
  for (const [, { id, option_id }] of entriesOf(answers))
    if (option_id !== null) close(draft, id, reason);
};

const close = (
  draft: Draft,
  id: PermissionId,
  reason: PermissionCloseReason,
): void =>
  draft.emit({ type: "session.permission.closed", data: { id, reason } });

export const answerPermission = (
  draft: Draft,
  command: Extract<Command, { type: "permission.answer" }>,
): Decision => {
  const { permission_id, option_id, known = null } = command;
  const { pending } = draft.state.permissions;
  const permission = pending.find((each) => each.id === permission_id);
  if (permission === undefined) return answerLate(draft, known, option_id);
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
  known: Permission | null,
  option_id: string,
): Decision => {
  if (known === null)
    return draft.refuse(
      "permission_not_found",
      "This session has no such permission request.",
    );
  if (known.state === "answered" && known.option_id === option_id)
    return draft.done();
  return draft.refuse(
    "permission_closed",
    known.state === "answered"
      ? `This request has been answered with ${known.option_id}.`
      : `This request was closed before it was answered (${known.reason}).`,
  );
};
