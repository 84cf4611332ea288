/** What happens in the sessions of a task, and what that means for its attempts. */
import { minutesWords } from "../kit/time/minutes-words.ts";
import type { AttemptId, PromptId, SessionId } from "../contract/base/id.ts";
import { isTerminal } from "../contract/session/state.ts";
import type { AttemptOutcome, AttemptReason } from "../contract/task/task.ts";
import type { PromptOutcome } from "../contract/task/task-event.ts";
import type { SessionNews } from "./command.ts";
import type { Draft } from "./draft.ts";
import {
  isBegun,
  newestAttempt,
  type Attempt,
  type PromptEnd,
} from "./state.ts";
import { workedMs } from "./timeout.ts";

export const observe = (draft: Draft, news: SessionNews): null => {
  observeStanding(draft, news);
  recordSent(draft, news);
  if (newestAttempt(draft.state)?.session_id !== news.id) return null;
  reopen(draft, news);
  recordResume(draft, news);
  recordEnds(draft, news);
  runClock(draft, news);
  settleIfOver(draft, news);
  return null;
};

/** A server that died in between may have sent more than it recorded. */
const recordSent = (draft: Draft, news: SessionNews): void => {
  const attempt = underWay(draft);
  if (attempt === null) return;
  const taken = new Set(news.over.map(({ prompt_id }) => prompt_id));
  if (news.working_on !== null) taken.add(news.working_on);
  // One that waited before the attempt says nothing about it until the agent has it.
  for (const { id, is_sent, waits } of attempt.prompts)
    if (!is_sent && (taken.has(id) || (!waits && news.waiting.includes(id))))
      draft.emit({
        type: "task.prompt.queued",
        data: { attempt_id: attempt.id, session_id: news.id, prompt_id: id },
      });
};

const observeStanding = (draft: Draft, news: SessionNews): void => {
  const { id: session_id, state, has_turns, asks } = news;
  const known = draft.state.sessions.find(({ id }) => id === session_id);
  if (
    known?.state !== state ||
    known.has_turns !== has_turns ||
    known.asks !== asks
  )
    draft.emit({
      type: "task.session.changed",
      data: { session_id, state, has_turns, ...(asks && { asks }) },
    });
};

/** An attempt that failed while its prompt waited goes on when the agent gets that prompt after all. */
const reopen = (draft: Draft, { working_on, over }: SessionNews): void => {
  const attempt = newestAttempt(draft.state);
  if (attempt?.progress.kind !== "ended") return;
  const isTaken = attempt.prompts.some(
    (prompt) =>
      prompt.over === null &&
      (prompt.id === working_on ||
        over.some(({ prompt_id }) => prompt_id === prompt.id)),
  );
  if (!isTaken) return;
  if (draft.state.next_retry !== null)
    draft.emit({ type: "task.retry.called_off", data: {} });
  draft.emit({
    type: "task.attempt.reopened",
    data: { attempt_id: attempt.id },
  });
};

const recordResume = (draft: Draft, { resumed }: SessionNews): void => {
  const attempt = underWay(draft);
  if (attempt === null || !resumed || attempt.was_resumed) return;
  draft.emit({
    type: "task.attempt.resumed",
    data: { attempt_id: attempt.id },
  });
};

const underWay = ({ state }: Draft): Attempt | null => {
  const attempt = newestAttempt(state);
  return attempt?.progress.kind === "under way" ? attempt : null;
};

const recordEnds = (draft: Draft, { over }: SessionNews): void => {
  const attempt = underWay(draft);
  if (attempt === null) return;
  for (const { prompt_id, outcome, reason, not_before } of over)
    if (
      attempt.prompts.some(
        (each) => each.id === prompt_id && each.over === null,
      )
    )
      draft.emit({
        type: "task.prompt.over",
        data: {
          attempt_id: attempt.id,
          prompt_id,
          outcome,
          reason,
          not_before,
        },
      });
};

/** The clock of an attempt runs while its agent works on one of its prompts (TSK-21). */
const runClock = (draft: Draft, { working_on }: SessionNews): void => {
  const attempt = underWay(draft);
  if (attempt === null) return;
  const is_working =
    working_on !== null && attempt.prompts.some(({ id }) => id === working_on);
  if (is_working === (attempt.clock.working_since !== null)) return;
  const worked_ms = workedMs(attempt, draft.at);
  draft.emit({
    type: "task.attempt.clock",
    data: { attempt_id: attempt.id, is_working, worked_ms },
  });
};

const settleIfOver = (draft: Draft, news: SessionNews): void => {
  const attempt = underWay(draft);
  if (attempt === null || !isBegun(attempt)) return;
  const ends = attempt.prompts.flatMap(({ over }) => over ?? []);
  // What was cut off because somebody ended the session is not interrupted. Nothing more has to be captured for it to be over.
  if (isTerminal(news.state) || news.is_deleted)
    settleBy(draft, attempt, [
      ...ends.filter(({ outcome }) => outcome !== "interrupted"),
      ...(isOver(attempt) && !ends.some(isInterrupted)
        ? []
        : [endOf("cancelled", null)]),
    ]);
  else if (!news.is_captured) return;
  else if (isOver(attempt)) settleBy(draft, attempt, ends);
  else if (isStuck(attempt, news))
    settleBy(draft, attempt, [...ends, endOf("failed", news.error)]);
};

const isInterrupted = ({ outcome }: PromptEnd): boolean =>
  outcome === "interrupted";

/** All its prompts are over. Once its time is used up, none that was not sent is sent. */
const isOver = ({ prompts, timed_out_at }: Attempt): boolean =>
  prompts.every(
    ({ over, is_sent }) => over !== null || (timed_out_at !== null && !is_sent),
  );

/** Its session is in `ERROR` or has used up its budget, and one of its prompts waits there. */
const isStuck = ({ prompts }: Attempt, news: SessionNews): boolean =>
  (news.state === "ERROR" || news.error !== null) &&
  prompts.some(({ id }) => news.waiting.includes(id));

const endOf = (
  outcome: PromptOutcome,
  reason: AttemptReason | null,
): PromptEnd => ({ outcome, reason, not_before: null });

/** From the best to the worst. */
const worse = ["succeeded", "cancelled", "interrupted", "failed"] as const;

/** The outcome of an attempt is the worst of its prompts (TSK-14). */
const settleBy = (
  draft: Draft,
  { id, timed_out_at }: Attempt,
  ends: readonly PromptEnd[],
): void => {
  const rank = (end: PromptEnd): number =>
    worse.indexOf(attemptOutcomes[end.outcome]);
  const worst = ends.reduce((one, other) =>
    rank(other) > rank(one) ? other : one,
  );
  if (timed_out_at === null)
    settle(draft, id, attemptOutcomes[worst.outcome], worst.reason);
  else settle(draft, id, "timed_out", ranTooLong(draft.state.timeout_minutes));
};

const attemptOutcomes: Record<PromptOutcome, (typeof worse)[number]> = {
  completed: "succeeded",
  cancelled: "cancelled",
  interrupted: "interrupted",
  uncertain: "interrupted",
  withdrawn: "cancelled",
  refused: "failed",
  failed: "failed",
};

const ranTooLong = (minutes: number | null): AttemptReason => ({
  code: "timed_out",
  text: `it ran longer than ${minutesWords(minutes ?? 0)}`,
});

/** What came of the attempt is known. */
export const settle = (
  draft: Draft,
  attempt_id: AttemptId,
  outcome: AttemptOutcome,
  reason: AttemptReason | null,
): void =>
  draft.emit({
    type: "task.attempt.settled",
    data: { attempt_id, outcome, reason },
  });

/** A prompt could not be sent, and will not be. */
export const endPrompt = (
  draft: Draft,
  attempt_id: AttemptId,
  prompt_id: PromptId,
  reason: AttemptReason,
): void => {
  draft.emit({
    type: "task.prompt.over",
    data: {
      attempt_id,
      prompt_id,
      outcome: "failed",
      reason,
      not_before: null,
    },
  });
  const attempt = underWay(draft);
  if (attempt === null || !isOver(attempt)) return;
  settleBy(
    draft,
    attempt,
    attempt.prompts.flatMap(({ over }) => over ?? []),
  );
};

export const loseSession = (
  draft: Draft,
  session_id: SessionId,
  state: "CANCELLED" | "FAILED",
  reason: AttemptReason,
): void => {
  const known = draft.state.sessions.find(({ id }) => id === session_id);
  if (known === undefined || !isTerminal(known.state))
    draft.emit({
      type: "task.session.changed",
      data: { session_id, state, has_turns: known?.has_turns ?? false },
    });
  const attempt = underWay(draft);
  if (attempt?.session_id === session_id)
    settle(draft, attempt.id, "failed", reason);
};
