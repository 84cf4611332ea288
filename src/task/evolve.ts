import type {
  TaskEvent,
  TaskEventDataOf,
} from "../contract/task/task-event.ts";
import type { AttemptId } from "../contract/base/id.ts";
import type { Attempt, AttemptPrompt, State } from "./state.ts";

/** What a task is after an event. */
export const evolve = (before: State | null, event: TaskEvent): State => {
  const { seq, at } = event;
  if (event.type === "task.created") return created(event);
  if (before === null)
    throw new Error(`${event.type} came before task.created`);
  return { ...before, ...changed(before, event), seq, last_updated: at };
};

const created = ({
  seq,
  at,
  task_id,
  data,
}: Extract<TaskEvent, { type: "task.created" }>): State => ({
  ...data,
  id: task_id,
  seq,
  created_at: at,
  last_updated: at,
  contexts: [],
  attempts: [],
  sessions: [],
  next_retry: null,
  automatic_attempts: 0,
  closed: null,
  told: "TODO",
});

const changed = (
  state: State,
  event: Exclude<TaskEvent, { type: "task.created" }>,
): Partial<State> => {
  switch (event.type) {
    case "task.described":
      return event.data;
    case "task.context.added":
      return { contexts: [...state.contexts, { ...event.data, at: event.at }] };
    case "task.state_changed":
      return { told: event.data.to };
    case "task.session.changed":
      return { sessions: withStanding(state, event.data) };
    case "task.retry.scheduled":
      return { next_retry: event.data };
    case "task.retry.called_off":
      return { next_retry: null };
    case "task.closed":
      return { closed: event.data.as };
    case "task.attempt.started":
      return {
        attempts: [...state.attempts, started(event.data, event.at)],
        next_retry: null,
        automatic_attempts: event.data.automatic
          ? state.automatic_attempts + 1
          : 0,
      };
    default:
      return {
        attempts: state.attempts.map((attempt) =>
          attempt.id === event.data.attempt_id
            ? { ...attempt, ...attemptChange(attempt, event) }
            : attempt,
        ),
      };
  }
};

type OfAttempt = Extract<TaskEvent, { data: { attempt_id: AttemptId } }>;

const attemptChange = (
  attempt: Attempt,
  event: Exclude<OfAttempt, { type: "task.attempt.started" }>,
): Partial<Attempt> => {
  switch (event.type) {
    case "task.attempt.extended":
      return {
        prompts: [...attempt.prompts, unsent(event.data.context_version)],
      };
    case "task.prompt.queued": {
      const { session_id, prompt_id } = event.data;
      return { session_id, prompts: queued(attempt.prompts, prompt_id) };
    }
    case "task.prompt.over": {
      const { prompt_id, outcome, reason, not_before } = event.data;
      const over = { outcome, reason, not_before };
      return {
        prompts: attempt.prompts.map((prompt) =>
          prompt.id === prompt_id ? { ...prompt, over } : prompt,
        ),
      };
    }
    case "task.attempt.clock": {
      const { is_working, worked_ms } = event.data;
      const working_since = is_working ? event.at : null;
      return { clock: { worked_ms, working_since } };
    }
    case "task.attempt.timed_out":
      return { timed_out_at: event.at };
    case "task.attempt.settled": {
      const { outcome, reason } = event.data;
      return { progress: { kind: "settled", outcome, reason } };
    }
    case "task.attempt.ended": {
      const { attempt_id: _, ...end } = event.data;
      return { progress: { kind: "ended", at: event.at, ...end } };
    }
    case "task.attempt.reopened":
      return { progress: { kind: "under way" } };
  }
};

const started = (
  data: TaskEventDataOf<"task.attempt.started">,
  at: string,
): Attempt => {
  const { attempt_id, context_version, automatic: _, ...rest } = data;
  return {
    ...rest,
    id: attempt_id,
    prompts: [unsent(context_version)],
    clock: { worked_ms: 0, working_since: null },
    timed_out_at: null,
    started_at: at,
    progress: { kind: "under way" },
  };
};

const unsent = (context_version: number): AttemptPrompt => ({
  id: null,
  context_version,
  over: null,
});

/** Prompts are sent in order: it is the first that was not sent. */
const queued = (
  prompts: readonly AttemptPrompt[],
  id: AttemptPrompt["id"],
): AttemptPrompt[] => {
  const next = prompts.findIndex((prompt) => prompt.id === null);
  return prompts.map((prompt, at) =>
    at === next ? { ...prompt, id } : prompt,
  );
};

const withStanding = (
  { sessions }: State,
  data: TaskEventDataOf<"task.session.changed">,
): State["sessions"] => {
  const { session_id: id, state, has_turns } = data;
  const standing = { id, state, has_turns };
  return sessions.some((session) => session.id === id)
    ? sessions.map((session) => (session.id === id ? standing : session))
    : [...sessions, standing];
};
