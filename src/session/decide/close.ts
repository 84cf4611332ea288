/** Letting go: of a turn, of what a dead agent left open, of an execution. */
import type { Ending } from "../../contract/session/ending.ts";
import { describeEnding } from "../../contract/session/ending.ts";
import type { ProblemCode } from "../../contract/problem/problem.ts";
import type { ErrorFacts } from "./draft.ts";
import type { InterruptionCode } from "../../contract/session/interruption.ts";
import { limitsOf } from "../../contract/agent/prompt-limits.ts";
import { isTerminal } from "../../contract/session/state.ts";
import { isExhausted } from "../state/continuation.ts";
import type { State } from "../state/state.ts";
import { runningCalls } from "../state/tool-calls.ts";
import { keepPending } from "./changes/change.ts";
import { secureLast } from "./checkpoints.ts";
import type { Draft } from "./draft.ts";
import { closePermissions } from "./permissions.ts";
import { askForAgent, endRest, startNextTurn } from "./start.ts";

/** A prompt that an agent would not take this often is not handed over again by itself. */
const MAX_RETURNS = 3;

export const closeTools = (draft: Draft): void => {
  for (const { id: tool, message } of runningCalls(draft.state.output.tools))
    draft.emit({
      type: "session.tool.updated",
      data: { id: message, tool: { id: tool, status: "interrupted" } },
    });
};

/** Whether a prompt that was not reported as delivered can have reached the agent. */
export type Evidence =
  /** agentctl's journal proves that it has not. */
  | "not_taken"
  /** Nobody can tell. */
  | "none";

export const PAUSED = {
  code: "paused",
  reason: "The session was paused.",
} as const;

/** The turn in progress cannot go on. What becomes of its prompt depends on whether the agent had taken it. */
export const breakTurn = (
  draft: Draft,
  why: { code: InterruptionCode; reason: string },
  evidence: Evidence,
): void => {
  const { lifecycle } = draft.state;
  if (lifecycle.name !== "RUNNING") return;
  const { turn } = lifecycle;
  const { delivery } = turn;
  closeTools(draft);
  const prompt = { prompt_id: turn.prompt_id, turn: turn.number };
  if (delivery.kind === "delivered")
    return draft.emit({
      type: "session.turn.interrupted",
      data: { ...prompt, ...why },
    });
  if (evidence === "none")
    return draft.emit({
      type: "session.prompt.uncertain",
      data: { ...prompt, ...why },
    });
  if (turn.cancelling)
    return draft.emit({
      type: "session.turn.ended",
      data: {
        ...prompt,
        outcome: "cancelled",
        stop_reason: turn.beyond?.limit ?? "cancelled",
        error: null,
        usage: null,
      },
    });
  draft.emit({
    type: "session.prompt.requeued",
    data: {
      ...prompt,
      content: [...delivery.content],
      ...limitsOf(turn),
    },
  });
};

/** A rewind under way is given up: a restart does not try it again. */
export const breakRewind = (
  draft: Draft,
  { code, message }: { code: ProblemCode; message: string },
): void => {
  const { rewinding } = draft.state.checkpoints;
  if (rewinding !== null)
    draft.emit({
      type: "session.rewind.failed",
      data: { turn: rewinding.turn, code, message },
    });
};

/** All processes of the execution are gone: what stays open is closed, and the session goes where it was on its way to. */
export const endExecution = (
  draft: Draft,
  how: {
    ending: Ending;
    stderr_tail: string;
    evidence: Evidence;
  },
): void => {
  const { execution, lifecycle } = draft.state;
  if (execution === null) return;
  const from = lifecycle.name;
  const stopping = execution.phase.kind === "stopping" ? execution.phase : null;
  const paused = stopping?.reason === "paused" || stopping?.reason === "idle";
  const isUndelivered =
    stopping?.reason === "delivery_failed" &&
    lifecycle.name === "RUNNING" &&
    lifecycle.turn.delivery.kind === "pending";

  closePermissions(
    draft,
    paused ? "paused" : isTerminal(from) ? "ended" : "agent_died",
  );
  breakTurn(
    draft,
    paused
      ? PAUSED
      : {
          code: stopping === null ? "agent_died" : "agent_stopped",
          reason: `The agent ${describeEnding(how.ending)}.`,
        },
    how.evidence,
  );
  draft.emit({
    type: "session.execution.ended",
    data: {
      execution_id: execution.id,
      epoch: execution.epoch,
      ending: how.ending,
      stderr_tail: how.stderr_tail,
    },
  });
  keepPending(draft);

  if (isTerminal(from)) return secureLast(draft);
  if (stopping !== null && stopping.again !== null) {
    // Whoever asked meanwhile gets the agent back.
    if (paused) draft.changed(from, "PAUSED", stopping.reason);
    else if (from === "RUNNING")
      draft.changed(from, "WAITING_FOR_INPUT", "interrupted");
    return askForAgent(draft, stopping.again);
  }
  if (from === "ERROR") return;
  if (isUndelivered)
    return draft.changed(from, "ERROR", "delivery_failed", stopping.message);
  if (stopping !== null && paused) {
    draft.changed(from, "PAUSED", stopping.reason);
    // The budget may have been raised while it was stopped.
    return endRest(draft);
  }
  // For example, agentctl died while it started the agent. The session stays STARTING: without an execution, `intend` begins another.
  if (from === "STARTING" && isStartWorthAnother(draft.state, how.ending))
    return;
  if (from === "STARTING")
    return draft.changed(
      from,
      "ERROR",
      draft.state.agent.booted ? "resume_failed" : "start_failed",
      `The agent ${describeEnding(how.ending)} before it took prompts.`,
    );
  if ((draft.state.prompts.queue[0]?.returned ?? 0) >= MAX_RETURNS)
    return draft.changed(
      from,
      "ERROR",
      "resume_failed",
      `The agent ended ${MAX_RETURNS} times without taking the prompt that waits. Resume to try again.`,
    );
  draft.changed(
    from,
    "WAITING_FOR_INPUT",
    from === "RUNNING" ? "interrupted" : "agent_ended",
  );
  warnOfLimit(draft);
  startNextTurn(draft);
};

export const warnOfLimit = (draft: Draft): void => {
  if (isExhausted(draft.state))
    draft.notice(
      "warning",
      "continuation_limit",
      "The turn was interrupted again and is not continued by itself any more. Decide what to do with it.",
    );
};

/** The session stays resumable: prompts keep waiting, the token is kept, the reason is recorded (P9). */
export const failStart = (
  draft: Draft,
  message: string,
  facts?: ErrorFacts,
): void => {
  const { lifecycle, agent } = draft.state;
  draft.changed(
    lifecycle.name,
    "ERROR",
    agent.booted ? "resume_failed" : "start_failed",
    message,
    facts,
  );
};

const MAX_LOST_STARTS = 3;

const isStartWorthAnother = ({ executions_so_far }: State, { kind }: Ending) =>
  kind === "vanished" && executions_so_far.lost_starts < MAX_LOST_STARTS;
