/** What comes of everything that is asked of a task, or told to it. */
import { unreachable } from "../kit/unreachable.ts";
import type { TaskDescription } from "../contract/task/task-event.ts";
import { begin, extend, refuseUsedUp, retry, run } from "./attempts.ts";
import { isSameBudget, isStoppedByBudget, usedUpBy } from "./budget.ts";
import type {
  Command,
  Create,
  NewContext,
  NewIds,
  RetrySession,
} from "./command.ts";
import { Draft, type Decision, type Refusal } from "./draft.ts";
import { endPrompt, loseSession, observe, settle } from "./observe.ts";
import { nextRetry } from "./retry.ts";
import {
  contextVersion,
  isBegun,
  isUnsent,
  newestAttempt,
  openAttempt,
  toldVersion,
  versionOf,
  type State,
} from "./state.ts";
import { isRetryDue, isTimeUp } from "./timeout.ts";

/** All that may be added to the description. */
export const MAX_CONTEXTS = 200;
export const MAX_CONTEXT_CHARACTERS = 8 * 1024 * 1024;

export const decideCreate = (create: Create, at: string): Decision => {
  const { task_id, contexts, ...data } = create;
  const draft = new Draft(null, task_id, at);
  draft.emit({ type: "task.created", data });
  return addContexts(draft, contexts) ?? draft.done();
};

export const decide = (
  state: State,
  command: Command,
  at: string,
): Decision => {
  const draft = new Draft(state, state.id, at);
  return refusal(draft, command) ?? draft.done();
};

/** Emits what follows from the command, or says why it is refused. */
const refusal = (draft: Draft, command: Command): Refusal | null => {
  switch (command.type) {
    case "task.describe":
      return describe(draft, command);
    case "budget.set":
      return whileOpen(draft, () => setBudget(draft, command));
    case "task.run":
      return whileOpen(draft, () => run(draft, command));
    case "task.retry":
      return whileOpen(draft, () => retry(draft, command));
    case "context.add":
      return command.contexts.length === 0
        ? null
        : whileOpen(draft, () => addLater(draft, command));
    case "task.close":
      return close(draft, command.as);
    case "task.delete":
      return remove(draft);
    case "task.undelete":
      return bringBack(draft, command.name);
    case "task.wake":
      return wake(draft, command);
    case "session.observe":
      return observe(draft, command.news);
    case "prompt.queued":
      return promptQueued(draft, command);
    case "attempt.fail":
      return fail(draft, command);
    case "attempt.end":
      return end(draft, command);
    case "session.lose":
      return lose(draft, command);
    default:
      return unreachable(command);
  }
};

const whileOpen = (draft: Draft, decided: () => Refusal | null) =>
  draft.state.closed === null
    ? decided()
    : refuseClosed(draft, draft.state.closed);

const refuseClosed = (draft: Draft, closed: "done" | "cancelled"): Refusal =>
  draft.refuse(
    "task_closed",
    `The task is ${closed}: nothing more can be done for it.`,
  );

type Of<T extends Command["type"]> = Extract<Command, { type: T }>;

const describe = (
  draft: Draft,
  command: Of<"task.describe">,
): Refusal | null => {
  const { type: _, ...data } = command;
  const { title, description, session, retry, timeout_minutes } = draft.state;
  const { budget = null } = draft.state;
  const before = {
    title,
    description,
    session,
    retry,
    timeout_minutes,
    budget,
  };
  if (isSame(before, { ...data, budget: data.budget ?? null })) return null;
  if (draft.state.closed !== null)
    return refuseClosed(draft, draft.state.closed);
  const isTold = draft.state.attempts.length > 0;
  if (isTold && (title !== data.title || description !== data.description))
    return draft.refuse(
      "wrong_state",
      "Agents have been told the title and the description: they cannot be changed any more. Add a context instead.",
    );
  draft.emit({ type: "task.described", data });
  return null;
};

const setBudget = (
  draft: Draft,
  { budget, ids, session }: Of<"budget.set">,
): Refusal | null => {
  const { state } = draft;
  if (isSameBudget(state.budget ?? null, budget)) return null;
  const wasUsedUp = usedUpBy(state) !== null;
  const { title, description, retry, timeout_minutes } = state;
  draft.emit({
    type: "task.described",
    data: {
      title,
      description,
      session: state.session,
      retry,
      timeout_minutes,
      budget,
    },
  });
  return wasUsedUp ? goOnAfterBudget(draft, ids, session) : null;
};

/** An attempt that stopped at a budget is followed by another one where the budget is higher now; a retry that it forbade comes. */
const goOnAfterBudget = (
  draft: Draft,
  ids: NewIds,
  session: RetrySession | null,
): null => {
  const newest = newestAttempt(draft.state);
  if (newest === null || usedUpBy(draft.state) !== null) return null;
  if (isStoppedByBudget(newest))
    return begin(draft, { ids, session, mode: "continue", automatic: false });
  if (draft.state.next_retry === null) scheduleRetry(draft);
  return null;
};

const scheduleRetry = (draft: Draft): void => {
  const next = nextRetry(draft.state, draft.at);
  if (next !== null) draft.emit({ type: "task.retry.scheduled", data: next });
};

const isSame = (one: TaskDescription, other: TaskDescription): boolean =>
  canonicalJson(one) === canonicalJson(other);

/** As JSON, with fields in the order of their names. */
const canonicalJson = (value: TaskDescription): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(
          Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)),
        )
      : part,
  );

const addContexts = (
  draft: Draft,
  added: readonly NewContext[],
): Refusal | null => {
  const all = [...draft.state.contexts, ...added];
  if (all.length > MAX_CONTEXTS)
    return draft.refuse(
      "invalid_request",
      `A task takes ${MAX_CONTEXTS} contexts; these would be ${all.length}.`,
    );
  const characters = all.reduce((sum, { text }) => sum + text.length, 0);
  if (characters > MAX_CONTEXT_CHARACTERS)
    return draft.refuse(
      "invalid_request",
      `The contexts of a task take ${MAX_CONTEXT_CHARACTERS} characters together; these would be ${characters}.`,
    );
  for (const context of added)
    draft.emit({
      type: "task.context.added",
      data: { version: contextVersion(draft.state) + 1, ...context },
    });
  return null;
};

const addLater = (
  draft: Draft,
  { contexts, ids, session }: Of<"context.add">,
): Refusal | null => {
  const open = openAttempt(draft.state);
  const beginsAnother = open === null && newestAttempt(draft.state) !== null;
  const refused =
    (beginsAnother ? refuseUsedUp(draft) : null) ??
    addContexts(draft, contexts);
  if (refused !== null) return refused;
  callOffRetry(draft);
  if (open === null)
    return beginsAnother
      ? begin(draft, { ids, session, mode: "update", automatic: false })
      : null;
  // One that is about to end is followed by another attempt.
  if (open.progress.kind === "under way" && open.timed_out_at === null)
    extend(draft, open.id, {
      id: ids.prompt_id,
      context_version: contextVersion(draft.state),
      waits: false,
    });
  return null;
};

const callOffRetry = (draft: Draft): void => {
  if (draft.state.next_retry !== null)
    draft.emit({ type: "task.retry.called_off", data: {} });
};

const close = (draft: Draft, as: "done" | "cancelled"): Refusal | null => {
  const { closed } = draft.state;
  if (closed === as) return null;
  if (closed !== null)
    return draft.refuse("task_closed", `The task is ${closed} already.`);
  callOffRetry(draft);
  draft.emit({ type: "task.closed", data: { as } });
  const open = openAttempt(draft.state);
  if (open?.progress.kind === "under way" && !isBegun(open))
    settle(draft, open.id, "cancelled", null);
  return null;
};

/** What is put into the trash is closed: nothing is to go on where nobody looks. */
const remove = (draft: Draft): Refusal | null => {
  if (draft.state.deleted_at !== null) return null;
  if (draft.state.closed === null) close(draft, "cancelled");
  draft.emit({ type: "task.deleted", data: {} });
  return null;
};

const bringBack = (draft: Draft, name: string | null): Refusal | null => {
  if (draft.state.deleted_at !== null)
    draft.emit({ type: "task.undeleted", data: { name } });
  return null;
};

const wake = (
  draft: Draft,
  { ids, session }: Of<"task.wake">,
): Refusal | null => {
  const { state, at } = draft;
  const open = openAttempt(state);
  if (open !== null) {
    if (isTimeUp(state, at))
      draft.emit({
        type: "task.attempt.timed_out",
        data: { attempt_id: open.id },
      });
    return null;
  }
  if (state.next_retry === null || !isRetryDue(state, at)) return null;
  const { mode } = state.next_retry;
  return begin(draft, { ids, session, mode, automatic: true });
};

const promptQueued = (
  draft: Draft,
  command: Of<"prompt.queued">,
): Refusal | null => {
  const { type: _, ...data } = command;
  const attempt = openAttempt(draft.state);
  if (attempt?.id === data.attempt_id && isUnsent(attempt, data.prompt_id))
    draft.emit({ type: "task.prompt.queued", data });
  return null;
};

/** An attempt of which no session heard has failed; of another one only that prompt has. */
const fail = (
  draft: Draft,
  { attempt_id, prompt_id, reason }: Of<"attempt.fail">,
): Refusal | null => {
  const attempt = openAttempt(draft.state);
  if (attempt?.id !== attempt_id || attempt.progress.kind !== "under way")
    return null;
  if (!isBegun(attempt)) settle(draft, attempt_id, "failed", reason);
  else if (isUnsent(attempt, prompt_id))
    endPrompt(draft, attempt_id, prompt_id, reason);
  return null;
};

/** Its session is gone, or nothing can be read of it: whatever was to come of it does not. */
const lose = (
  draft: Draft,
  { session_id, state, reason }: Of<"session.lose">,
): Refusal | null => {
  loseSession(draft, session_id, state, reason);
  return null;
};

const end = (draft: Draft, command: Of<"attempt.end">): Refusal | null => {
  const { type: _, ids, session, ...facts } = command;
  const attempt = openAttempt(draft.state);
  if (attempt?.id !== facts.attempt_id) return null;
  if (attempt.progress.kind !== "settled") return null;
  const { outcome, reason } = attempt.progress;
  draft.emit({
    type: "task.attempt.ended",
    data: { ...facts, outcome, reason },
  });
  if (draft.state.closed !== null) return null;
  if (attempt.has_other_budget && reason?.code === "budget_reached")
    return goOnAfterBudget(draft, ids, session);
  // What failed would fail again: then it is for somebody, or for a retry, to go on.
  if (outcome !== "failed" && outcome !== "cancelled" && hasUntold(draft.state))
    return begin(draft, { ids, session, mode: "update", automatic: false });
  scheduleRetry(draft);
  return null;
};

/** Something was added that the session of the newest attempt was not told. */
const hasUntold = (state: State): boolean => {
  const newest = newestAttempt(state);
  if (newest === null) return false;
  const told =
    newest.session_id === null
      ? versionOf(newest.prompts)
      : toldVersion(state, newest.session_id);
  return told < contextVersion(state);
};
