import type {
  TaskEvent,
  TaskEventDataOf,
} from "../contract/task/task-event.ts";
import type { AttemptId, PromptId } from "../contract/base/id.ts";
import { isSameBudget } from "./budget.ts";
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
  closed_at: null,
  deleted_at: null,
  last_reported_state: "TODO",
});

const changed = (
  state: State,
  event: Exclude<TaskEvent, { type: "task.created" }>,
): Partial<State> => {
  switch (event.type) {
    case "task.described":
      return { ...event.data, ...budgetSaid(state, event.data) };
    case "task.context.added":
      return { contexts: [...state.contexts, { ...event.data, at: event.at }] };
    case "task.state_changed":
      return { last_reported_state: event.data.to };
    case "task.session.changed":
      return { sessions: withStanding(state, event.data) };
    case "task.retry.scheduled":
      return { next_retry: event.data };
    case "task.retry.called_off":
      return { next_retry: null };
    case "task.closed":
      return { closed: event.data.as, closed_at: event.at };
    case "task.deleted":
      return { deleted_at: event.at };
    case "task.undeleted":
      return { deleted_at: null, name: event.data.name };
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
      return { prompts: [...attempt.prompts, unsent(event.data)] };
    case "task.prompt.queued": {
      const { session_id, prompt_id } = event.data;
      const change = { is_sent: true };
      return { session_id, ...withPrompt(attempt, prompt_id, change) };
    }
    case "task.prompt.over": {
      const { prompt_id, outcome, reason, not_before } = event.data;
      const over = { outcome, reason, not_before };
      return withPrompt(attempt, prompt_id, { over });
    }
    case "task.attempt.clock": {
      const { is_working, worked_ms } = event.data;
      const working_since = is_working ? event.at : null;
      return { clock: { worked_ms, working_since } };
    }
    case "task.attempt.resumed":
      return { was_resumed: true };
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
  const { attempt_id: id, number, mode, agent, session_id } = data;
  return {
    id,
    number,
    mode,
    agent,
    session_id,
    prompts: [unsent(data)],
    clock: { worked_ms: 0, working_since: null },
    timed_out_at: null,
    was_resumed: false,
    template: data.session ?? null,
    started_at: at,
    has_other_budget: false,
    progress: { kind: "under way" },
  };
};

/** What follows from another budget for the task, and for the attempt under way. */
const budgetSaid = (
  { budget = null, had_budget = false, attempts }: State,
  { budget: said = null }: TaskEventDataOf<"task.described">,
): Pick<State, "attempts" | "had_budget"> => ({
  had_budget: had_budget || budget !== null,
  attempts: isSameBudget(budget, said)
    ? attempts
    : attempts.map((attempt) =>
        attempt.progress.kind === "ended"
          ? attempt
          : { ...attempt, has_other_budget: true },
      ),
});

const unsent = ({
  prompt_id: id,
  prompt_waits: waits,
  context_version,
}: {
  prompt_id: PromptId;
  prompt_waits: boolean;
  context_version: number;
}): AttemptPrompt => ({
  id,
  is_sent: false,
  waits,
  context_version,
  over: null,
});

const withPrompt = (
  { prompts }: Attempt,
  id: PromptId,
  change: Partial<AttemptPrompt>,
): Pick<Attempt, "prompts"> => ({
  prompts: prompts.map((prompt) =>
    prompt.id === id ? { ...prompt, ...change } : prompt,
  ),
});

const withStanding = (
  { sessions }: State,
  data: TaskEventDataOf<"task.session.changed">,
): State["sessions"] => {
  const { session_id: id, state, has_turns, asks = false } = data;
  const standing = { id, state, has_turns, asks };
  return sessions.some((session) => session.id === id)
    ? sessions.map((session) => (session.id === id ? standing : session))
    : [...sessions, standing];
};
