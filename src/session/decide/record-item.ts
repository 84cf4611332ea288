/** One item of a report. Every item that stands for bytes gives at least one event, so the journal accounts for all of them. */
import { canResumeNatively } from "../../contract/agent/agent.ts";
import type { ToldRestrictions } from "../../contract/agent/told-restrictions.ts";
import type { ReportItem } from "../../contract/link/report.ts";
import type { Limit, Usage } from "../../contract/base/usage.ts";
import { newUsage } from "../evolve/usage.ts";
import { unreachable } from "../../kit/unreachable.ts";
import type { Agent, PendingDelivery, State, Turn } from "../state/state.ts";
import { recordApplied, recordRefused } from "./changes/change.ts";
import {
  breakTurn,
  closeTools,
  endExecution,
  type Evidence,
  failStart,
  PAUSED,
  warnOfLimit,
} from "./close.ts";
import type { Draft, ErrorFacts } from "./draft.ts";
import {
  closePermissions,
  recordAnswerDelivered,
  recordPermission,
} from "./permissions.ts";
import { recordReady } from "./ready.ts";
import { startNextTurn } from "./start.ts";
import { stop } from "./stop.ts";
import { holdToLimits } from "./turn.ts";
import { recordText, recordTool } from "./words.ts";

type Item<K extends ReportItem["kind"]> = Extract<ReportItem, { kind: K }>;

export const recordItem = (draft: Draft, item: ReportItem): void => {
  record(draft, item);
  holdToLimits(
    draft,
    item.kind === "permission_requested" ? item.tool_call_id : null,
  );
};

const record = (draft: Draft, item: ReportItem): void => {
  switch (item.kind) {
    case "ready":
      return recordReady(draft, item);
    case "token":
      return recordToken(draft, item);
    case "start_failed":
      return recordStartFailed(draft, item);
    case "prompt_delivered":
      return recordPromptDelivered(draft, item);
    case "text":
      return recordText(draft, item);
    case "tool":
      return recordTool(draft, item.tool);
    case "plan":
      return draft.emit({
        type: "session.plan.updated",
        data: { turn: draft.state.turns.last, entries: item.entries },
      });
    case "permission_requested":
      return recordPermission(draft, item);
    case "answer_delivered":
      return recordAnswerDelivered(draft, item);
    case "change_applied":
      return recordApplied(draft, item);
    case "change_refused":
      return recordRefused(draft, item);
    case "usage":
      return draft.emit({
        type: "session.usage",
        data: {
          turn: draft.state.turns.last,
          usage: item.usage,
          ...(item.context && { context: item.context }),
          ...(item.limit && { limit: item.limit }),
          ...(item.cost !== undefined && { cost: item.cost }),
        },
      });
    case "turn_ended":
      return recordTurnEnded(draft, item);
    case "transcript":
      return recordTranscript(draft, item);
    case "unknown":
      return draft.emit({
        type: "session.agent.update",
        data: { update: item.update },
      });
    case "garbage":
      return recordGarbage(draft, item);
    case "notice":
      return draft.notice("warning", item.code, item.text, {
        ...(item.processes && { processes: item.processes }),
      });
    case "ended":
      return endExecution(draft, {
        ending: item.ending,
        stderr_tail: item.stderr_tail,
        evidence: evidenceOf(draft.state, item),
      });
    default:
      return unreachable(item);
  }
};

/**
 * agentctl reports every delivery before the end. A prompt of which it reported none was not taken where it says so, and
 * where its journal is whole: then the prompt never came that far.
 */
const evidenceOf = (
  { lifecycle }: State,
  { not_taken, journal_damaged }: Item<"ended">,
): Evidence => {
  if (journal_damaged !== true) return "not_taken";
  return lifecycle.name === "RUNNING" &&
    not_taken.includes(lifecycle.turn.prompt_id)
    ? "not_taken"
    : "none";
};

const SHOWN_OF_A_LONG_LINE = 200;

const recordGarbage = (draft: Draft, item: Item<"garbage">): void => {
  if (item.too_long === undefined)
    return draft.notice("warning", "agent_garbage", item.text);
  const mebibytes = Math.round(item.too_long / 1024 / 1024);
  draft.notice(
    "warning",
    "agent_line_too_long",
    `The agent printed a line of ${mebibytes} MiB, which is too long to be read and was left out. It began: ${item.text.slice(0, SHOWN_OF_A_LONG_LINE)}`,
  );
};

/** Whoever cannot come back by a token gets none, and the words are kept all the same. */
const recordToken = (draft: Draft, { token }: Item<"token">): void => {
  const { execution, agent } = draft.state;
  if (execution === null || !canResumeNatively(agent.abilities))
    return draft.emit({
      type: "session.agent.update",
      data: { update: { token } },
    });
  draft.emit({
    type: "session.token.recorded",
    data: { execution_id: execution.id, epoch: execution.epoch, token },
  });
};

const recordStartFailed = (draft: Draft, item: Item<"start_failed">): void => {
  if (draft.state.lifecycle.name !== "STARTING") return;
  stop(draft, "start_failed");
  failStart(draft, item.message, errorFacts(item));
};

/** Some failures are those that status would have told, had it been so a moment before. */
const errorFacts = ({
  failure,
  restriction,
}: Item<"start_failed">): ErrorFacts => ({
  ...(restriction !== undefined && { restriction }),
  ...((failure === "agent_not_installed" ||
    failure === "workspace_missing") && { code: failure }),
  failure,
});

const recordPromptDelivered = (
  draft: Draft,
  { prompt_id }: Item<"prompt_delivered">,
): void => {
  const { lifecycle, execution } = draft.state;
  if (lifecycle.name !== "RUNNING" || execution === null) return;
  const { turn } = lifecycle;
  const { delivery } = turn;
  if (turn.prompt_id !== prompt_id || delivery.kind === "delivered") return;
  draft.emit({
    type: "session.prompt.delivered",
    data: {
      prompt_id,
      turn: turn.number,
      epoch: execution.epoch,
      restrictions: restrictionsOf(draft.state.agent, turn, delivery),
    },
  });
};

const restrictionsOf = (
  {
    definition: { allowed_tools, disallowed_tools = [] },
    limits_in_prompt,
  }: Agent,
  { limits = {} }: Turn,
  { prepared }: PendingDelivery,
): ToldRestrictions => ({
  allowed: (limits.allowed_tools ?? allowed_tools)?.length ?? null,
  disallowed: new Set([...disallowed_tools, ...(limits.disallowed_tools ?? [])])
    .size,
  told: limits_in_prompt || prepared?.restrictions === true,
  ...(limits.max_tool_calls !== undefined && {
    max_tool_calls: limits.max_tool_calls,
  }),
});

const recordTurnEnded = (draft: Draft, item: Item<"turn_ended">): void => {
  const { lifecycle } = draft.state;
  if (
    lifecycle.name !== "RUNNING" ||
    lifecycle.turn.prompt_id !== item.prompt_id
  )
    return draft.notice(
      "info",
      "late_answer",
      `The agent answered a prompt that was no longer in progress (${item.stop_reason}).`,
    );
  const { turn } = lifecycle;
  if (isCutByPause(draft.state, item)) {
    closePermissions(draft, "paused");
    breakTurn(draft, PAUSED, "not_taken");
    return draft.changed("RUNNING", "WAITING_FOR_INPUT", "interrupted");
  }
  recordPromptDelivered(draft, {
    kind: "prompt_delivered",
    range: null,
    prompt_id: item.prompt_id,
  });
  closePermissions(draft, "turn_ended");
  if (item.limit != null) return endByLimit(draft, turn, item.limit);
  closeTools(draft);
  draft.emit({
    type: "session.turn.ended",
    data: {
      turn: turn.number,
      prompt_id: item.prompt_id,
      outcome: outcomeOf(item),
      stop_reason:
        item.error === null
          ? (turn.beyond?.limit ?? item.stop_reason)
          : item.stop_reason,
      error: item.error,
      usage: usageOf(draft.state, item),
      ...(item.last_message_id !== undefined && {
        last_message_id: item.last_message_id,
      }),
      ...(item.failure !== undefined && { failure: item.failure }),
    },
  });
  if (item.error !== null) draft.notice("error", "agent_error", item.error);
  draft.changed("RUNNING", "WAITING_FOR_INPUT", "turn_ended");
  startNextTurn(draft);
};

/** Some agents count all turns since they were started: what is new since the last one belongs to this. */
const usageOf = (
  { execution }: State,
  { usage, usage_of }: Item<"turn_ended">,
): Usage | null => {
  const before = execution?.spent ?? null;
  return usage === null || usage_of !== "execution" || before === null
    ? usage
    : newUsage(usage, before);
};

/** Nothing is wrong with the turn: the agent may go on with it when its quota is filled again. */
const endByLimit = (draft: Draft, turn: Turn, limit: Limit): void => {
  const resets_at = limit.resets_at ?? turn.resets_at;
  const when = resets_at === null ? "" : ` It is filled again at ${resets_at}.`;
  const reason = `The agent's quota is used up.${when}`;
  closeTools(draft);
  draft.emit({
    type: "session.turn.interrupted",
    data: {
      turn: turn.number,
      prompt_id: turn.prompt_id,
      reason,
      code: "quota",
      limit: { resets_at },
    },
  });
  draft.notice("warning", "rate_limited", reason);
  draft.changed("RUNNING", "WAITING_FOR_INPUT", "interrupted");
  warnOfLimit(draft);
  startNextTurn(draft);
};

/** An agent that is being stopped cancels its turn: nobody asked for that, the work is only interrupted. */
const isCutByPause = (
  { execution, lifecycle }: State,
  { stop_reason }: Item<"turn_ended">,
): boolean =>
  stop_reason === "cancelled" &&
  execution?.phase.kind === "stopping" &&
  lifecycle.name === "RUNNING" &&
  lifecycle.turn.delivery.kind === "delivered" &&
  !lifecycle.turn.cancelling;

const outcomeOf = (item: Item<"turn_ended">) => {
  if (item.error !== null) return "failed";
  if (item.stop_reason === "cancelled") return "cancelled";
  return item.stop_reason === "refusal" ? "refused" : "completed";
};

const recordTranscript = (
  draft: Draft,
  { bytes, sha256 }: Item<"transcript">,
): void => {
  const { transcript } = draft.state.agent;
  if (transcript?.bytes === bytes && transcript.sha256 === sha256) return;
  draft.emit({
    type: "session.transcript.recorded",
    data: { turn: draft.state.turns.last, bytes, sha256 },
  });
};
