import type { Budget } from "../../contract/base/budget.ts";
import { usedUpWords } from "../../contract/base/budget.ts";
import { textOf } from "../../contract/base/content.ts";
import { limitsOf } from "../../contract/agent/prompt-limits.ts";
import type { PromptId } from "../../contract/base/id.ts";
import type { Command, NewPrompt } from "../state/command.ts";
import type { Decision } from "./decision.ts";
import { elapsedMs } from "../../kit/time/elapsed.ts";
import { continuationOf } from "../state/continuation.ts";
import { newestCut } from "../state/newest-cut.ts";
import { isHeldForQuota } from "../state/quota/hand-over.ts";
import { isQueueHeld, usedUpUntil } from "../state/quota/held-queue.ts";
import type { PendingDelivery, State } from "../state/state.ts";
import { whyNotTaken } from "../state/taken.ts";
import type { Draft } from "./draft.ts";
import { countAsFilled } from "./quota/filled.ts";
import { askForAgent, endRest, startNextTurn } from "./start.ts";
import { holdToLimits } from "./turn.ts";
import { stop } from "./stop.ts";
import { credentialsLabel } from "../state/credentials-label.ts";
import { runningTurn } from "../state/turns.ts";
import { leftOutWords } from "../evolve/agent.ts";

const MAX_QUEUED = 100;
const MAX_QUEUED_BYTES = 16 * 1024 * 1024;

export const queuePrompt = (
  draft: Draft,
  prompt: NewPrompt,
  unasked = false,
  isFirst = false,
): void =>
  draft.emit({
    type: "session.prompt.queued",
    data: {
      prompt_id: prompt.prompt_id,
      content: [...prompt.content],
      text: textOf(prompt.content),
      ...(unasked && { queued_by: "continuation" }),
      ...(isFirst && { first: true }),
      ...(prompt.not_with_epoch !== undefined && {
        not_with_epoch: prompt.not_with_epoch,
      }),
      ...credentialsLabel(prompt),
      ...limitsOf(prompt),
    },
  });

/** Admission: a prompt is taken in every live state, and brings the agent back where it is gone. */
export const admitPrompt = (
  draft: Draft,
  prompt: NewPrompt,
  unasked = false,
  isFirst = false,
): Decision => {
  const why = whyNotTaken(draft.state.agent, prompt.content);
  if (why !== null) return draft.refuse("content_not_supported", why);
  const { reached } = draft.state.budget;
  if (reached !== null)
    return draft.refuse(
      "budget_reached",
      `The budget of the session is used up: ${usedUpWords(reached)}. Raise it, then send the prompt again.`,
    );
  const { queue } = draft.state.prompts;
  const bytes = queue.reduce((sum, each) => sum + each.bytes, 0);
  // What waits for a turn that goes on first must not keep it from that.
  if (!isFirst && (queue.length >= MAX_QUEUED || bytes > MAX_QUEUED_BYTES))
    return draft.refuse(
      "queue_full",
      `${queue.length} prompts are waiting already. Wait until some are done, or cancel some.`,
    );
  queuePrompt(draft, prompt, unasked, isFirst);
  wake(draft);
  if (queue.length === 0) tellWaiting(draft);
  return draft.done();
};

/** Whoever sends the first prompt that waits for a quota learns so. */
const tellWaiting = (draft: Draft): void => {
  const { agent, prompts } = draft.state;
  const until = usedUpUntil(draft.state);
  if (until !== null && prompts.queue.length > 0)
    draft.notice(
      "info",
      "prompts_wait",
      `The quota of ${agent.definition.agent} is used up: prompts wait until ${until}. To have them tried at once, resume the session with the option now.`,
    );
};

/** Prompts that wait get their turn, or bring the agent back. */
export const wake = (draft: Draft): void => {
  if (draft.state.lifecycle.name === "WAITING_FOR_INPUT") startNextTurn(draft);
  else if (draft.state.execution === null && !isHeldForQuota(draft.state))
    askForAgent(draft, "prompt");
};

export const setBudget = (
  draft: Draft,
  { budget }: Extract<Command, { type: "budget.set" }>,
): Decision => {
  const before = draft.state;
  recordBudget(draft, budget);
  goOnAfter(draft, before);
  return draft.done();
};

export const recordBudget = (draft: Draft, budget: Budget | null): void => {
  const { limits } = draft.state.budget;
  if (JSON.stringify(limits) !== JSON.stringify(budget))
    draft.emit({ type: "session.budget.changed", data: { budget } });
};

/** After a change of the session: the turn in progress is held to its budget, and prompts that waited for the change begin. */
export const goOnAfter = (draft: Draft, before: State): void => {
  if (draft.state.budget.limits !== before.budget.limits) {
    holdToLimits(draft);
    startNextTurn(draft);
    endRest(draft);
  }
  release(draft, before);
};

/** Prompts that waited because of a quota begin where nothing holds them any more. */
const release = (draft: Draft, before: State): void => {
  if (draft.state.prompts.queue.length === 0) return;
  if (isHeldForQuota(before)) return wake(draft);
  if (!isQueueHeld(before)) return;
  startNextTurn(draft);
  endRest(draft);
};

export const cancelPrompt = (
  draft: Draft,
  { prompt_id }: Extract<Command, { type: "prompt.cancel" }>,
): Decision => {
  if (!draft.state.prompts.queue.some((each) => each.id === prompt_id))
    return draft.refuse(
      "wrong_state",
      "Only a prompt that still waits can be cancelled. To stop the turn in progress, cancel the turn.",
    );
  draft.emit({ type: "session.prompt.cancelled", data: { prompt_id } });
  return draft.done();
};

/** The user decides about a prompt whose turn was interrupted, or of which nobody knows whether the agent took it (P7). */
export const resolvePrompt = (
  draft: Draft,
  {
    prompt_id,
    action,
    by,
    unasked,
  }: Extract<Command, { type: "prompt.resolve" }>,
): Decision => {
  if (!draft.state.prompts.unresolved.some((each) => each.id === prompt_id))
    return draft.refuse(
      "wrong_state",
      "This prompt is not waiting for a decision.",
    );
  if (unasked === true && !isContinuationDue(draft, prompt_id))
    return draft.refuse(
      "wrong_state",
      "The session does not go on with this prompt by itself now.",
    );
  const before = draft.state;
  const isFirst = isQueueHeld(before) && newestCut(before)?.id === prompt_id;
  draft.emit({
    type: "session.prompt.resolved",
    data: {
      prompt_id,
      action,
      by: by?.prompt_id ?? null,
      ...(unasked === true && { unasked }),
    },
  });
  if (by !== null) {
    countAsFilled(draft, unasked !== true);
    return admitPrompt(draft, by, unasked, isFirst);
  }
  release(draft, before);
  return draft.done();
};

/** Somebody may have paused or changed the session since the continuation was intended (REC-105). */
const isContinuationDue = (
  { state, at }: Draft,
  prompt_id: PromptId,
): boolean => {
  const due = continuationOf(state);
  if (due?.prompt_id !== prompt_id) return false;
  return due.not_before === null || elapsedMs(due.not_before, at) >= 0;
};

/** Records the history as the agent will get it, before it gets it: once, however often it must be handed over. */
export const recordInjection = (
  draft: Draft,
  { prompt_id, text, left_out }: Extract<Command, { type: "history.inject" }>,
): Decision => {
  const { inject, forgotten } = draft.state.prompts.before_next;
  const { resume } = draft.state.agent;
  const isNeeded = inject || forgotten > 0;
  const delivery = pendingOf(draft.state, prompt_id);
  if (!isNeeded || delivery === null || delivery.history_recorded)
    return draft.done();
  draft.emit({
    type: "session.history.injected",
    data: { prompt_id, text, left_out },
  });
  if (draft.state.agent.resume !== resume)
    draft.notice("warning", "history_left_out", leftOutWords(left_out));
  return draft.done();
};

/** Records what the agent gets, before it gets it: once, however often it must be handed over. */
export const recordPrepared = (
  draft: Draft,
  {
    prompt_id,
    text,
    instructions,
    restrictions,
  }: Extract<Command, { type: "delivery.prepare" }>,
): Decision => {
  if (pendingOf(draft.state, prompt_id)?.prepared === null)
    draft.emit({
      type: "session.prompt.prepared",
      data: { prompt_id, text, instructions, restrictions },
    });
  return draft.done();
};

/**
 * The agent is stopped, because only its end tells whether it has the prompt after all (P7). If it has not, the prompt waits
 * and the session says what is wrong with it, instead of trying for ever (P10).
 */
export const failDelivery = (
  draft: Draft,
  { prompt_id, message }: Extract<Command, { type: "delivery.fail" }>,
): Decision => {
  const isPending = pendingOf(draft.state, prompt_id) !== null;
  if (isPending && draft.state.execution?.phase.kind === "ready")
    stop(draft, "delivery_failed", message);
  return draft.done();
};

/** What the agent is to get in the turn in progress, if that is the turn of this prompt. */
const pendingOf = (
  state: State,
  prompt_id: PromptId,
): PendingDelivery | null => {
  const turn = runningTurn(state);
  return turn?.prompt_id === prompt_id && turn.delivery.kind === "pending"
    ? turn.delivery
    : null;
};
