/** What is known of a task: the fold of its journal. */
import type { AgentId } from "../contract/agent/agent.ts";
import type { Resume } from "../contract/agent/resume.ts";
import type {
  AttemptId,
  PromptId,
  SessionId,
  TaskId,
} from "../contract/base/id.ts";
import type { Budget, Spent } from "../contract/base/budget.ts";
import type { PlaceRef } from "../contract/base/place.ts";
import type { StateName } from "../contract/session/state.ts";
import type { SessionTemplate } from "../contract/task/session-template.ts";
import type {
  AttemptMode,
  AttemptOutcome,
  AttemptReason,
  Context,
  FileChange,
  RetryPolicy,
  TaskState,
} from "../contract/task/task.ts";
import type { PromptOutcome } from "../contract/task/task-event.ts";

export interface State {
  id: TaskId;
  /** Of the last event. */
  seq: number;
  created_at: string;
  last_updated: string;
  place: PlaceRef;
  name: string | null;
  title: string;
  description: string;
  /** How its sessions are made. */
  session: SessionTemplate;
  retry: RetryPolicy;
  timeout_minutes: number | null;
  /** What its attempts may spend together; null or absent: whatever they take. */
  budget?: Budget | null | undefined;
  /** It had a budget before. */
  had_budget?: boolean;
  contexts: readonly Context[];
  /** Oldest first. Only the newest may not be over. */
  attempts: readonly Attempt[];
  /** How its sessions stand, oldest first, as far as the task was told. */
  sessions: readonly SessionStanding[];
  next_retry: { at: string; mode: "continue" | "fresh" } | null;
  /** How many attempts there were since somebody last asked for one. */
  automatic_attempts: number;
  closed: "done" | "cancelled" | null;
  closed_at: string | null;
  /** When it was put into the trash. */
  deleted_at: string | null;
  last_reported_state: TaskState;
}

export interface SessionStanding {
  id: SessionId;
  state: StateName;
  /** A turn is over in it. */
  has_turns: boolean;
  /** Its agent waits for an answer to a permission request. */
  asks: boolean;
}

export interface Attempt {
  id: AttemptId;
  number: number;
  mode: AttemptMode;
  agent: AgentId;
  /** Null until the new session that it gets is there. */
  session_id: SessionId | null;
  /** What its session is told, in order. There is at least one. */
  prompts: readonly AttemptPrompt[];
  clock: Clock;
  timed_out_at: string | null;
  /** Its agent had been away and came back for it. */
  was_resumed: boolean;
  /** How its session is made, where it gets a new one; null: as the task says. */
  template: SessionTemplate | null;
  started_at: string;
  /** The budget of the task was said anew while it was under way. */
  has_other_budget: boolean;
  progress: Progress;
}

export interface AttemptPrompt {
  id: PromptId;
  /** The session has it. */
  is_sent: boolean;
  /** It waited in the session before the attempt began. */
  waits: boolean;
  /** Up to which version it tells what is asked for. */
  context_version: number;
  over: PromptEnd | null;
}

export interface PromptEnd {
  outcome: PromptOutcome;
  reason: AttemptReason | null;
  not_before: string | null;
}

/** How long the agent has worked. */
export interface Clock {
  worked_ms: number;
  /** Since when it works; null while it does not. */
  working_since: string | null;
}

export type Progress =
  | { kind: "under way" }
  /** What it changed is to be found out. */
  | { kind: "settled"; outcome: AttemptOutcome; reason: AttemptReason | null }
  | ({ kind: "ended"; at: string } & AttemptEnd);

export interface AttemptEnd {
  outcome: AttemptOutcome;
  reason: AttemptReason | null;
  agent_session_id: string | null;
  resume: Resume | null;
  /** Null where it is not known. */
  files_changed: FileChange[] | null;
  files_left_out: number;
  last_words: string | null;
  /** What its session had spent in all by then. */
  spent?: Spent | null | undefined;
}

export const contextVersion = ({ contexts }: State): number =>
  1 + contexts.length;

export const newestAttempt = ({ attempts }: State): Attempt | null =>
  attempts.at(-1) ?? null;

/** The one that is not over. */
export const openAttempt = (state: State): Attempt | null => {
  const newest = newestAttempt(state);
  return newest?.progress.kind === "ended" ? null : newest;
};

/** Up to which version a session has been told what is asked for; 0 when nothing of it. */
export const toldVersion = (state: State, session: SessionId): number =>
  versionOf(
    state.attempts
      .filter(({ session_id }) => session_id === session)
      .flatMap(({ prompts }) => prompts)
      .filter(isTold),
  );

/** The agent has it, or will get it. Without a login no model has seen it. */
export const isTold = ({ is_sent, over }: AttemptPrompt): boolean =>
  is_sent &&
  over?.outcome !== "withdrawn" &&
  over?.reason?.code !== "not_logged_in";

/** Up to which version prompts tell what is asked for. */
export const versionOf = (prompts: readonly AttemptPrompt[]): number =>
  prompts.reduce((most, prompt) => Math.max(most, prompt.context_version), 0);

export const isUnsent = ({ prompts }: Attempt, id: PromptId): boolean =>
  prompts.some((prompt) => prompt.id === id && !prompt.is_sent);

/** A session has heard of it. */
export const isBegun = ({ prompts }: Attempt): boolean =>
  prompts.some(({ is_sent }) => is_sent);
