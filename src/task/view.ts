/** A task and its attempts, as callers see them. */
import { listedTask } from "../contract/task/listed-task.ts";
import type { SessionId } from "../contract/base/id.ts";
import type { Attempt as AttemptView, Task } from "../contract/task/task.ts";
import { spentOf, usedUpBy } from "./budget.ts";
import {
  contextVersion,
  isBegun,
  newestAttempt,
  type Attempt,
  type SessionStanding,
  type State,
} from "./state.ts";
import { taskState } from "./task-state.ts";

/** `sessions`: all of the task, as they stand now, oldest first. */
export const taskView = (
  state: State,
  sessions: readonly SessionStanding[],
): Task => {
  const { cwd, worktree } = state.session;
  const agent = newestAttempt(state)?.agent ?? state.session.agent;
  const standing = {
    session_id: currentSession(state, sessions),
    attempts: state.attempts.length,
    context_version: contextVersion(state),
    last_updated: state.last_updated,
  };
  return {
    id: state.id,
    ...(state.name !== null && { name: state.name }),
    title: state.title,
    description: state.description,
    state: taskState(state, sessions),
    needs_permission: sessions.some(({ asks }) => asks),
    ...(agent !== undefined && { agent }),
    ...(cwd !== undefined && { cwd }),
    ...(worktree !== undefined && { worktree }),
    session: state.session,
    ...standing,
    status: standing,
    contexts: [...state.contexts],
    session_ids: sessions.map(({ id }) => id),
    retry: state.retry,
    ...(state.timeout_minutes !== null && {
      timeout_minutes: state.timeout_minutes,
    }),
    ...(state.budget != null && {
      budget: {
        limits: state.budget,
        spent: spentOf(state),
        reached: usedUpBy(state)?.what ?? null,
      },
    }),
    ...(state.next_retry !== null && { retry_at: state.next_retry.at }),
    ...(state.closed_at !== null && { closed_at: state.closed_at }),
    ...(state.deleted_at !== null && { deleted_at: state.deleted_at }),
    last_seq: state.seq,
    created_at: state.created_at,
    updated_at: state.last_updated,
  };
};

/** What lists show of a task. Its row is written with every event. */
export const listedTaskView = (state: State): Task =>
  listedTask(taskView(state, state.sessions));

const currentSession = (
  state: State,
  sessions: readonly SessionStanding[],
): SessionId | null =>
  newestAttempt(state)?.session_id ?? sessions.at(-1)?.id ?? null;

export const attemptView = (
  { id: task_id }: State,
  attempt: Attempt,
): AttemptView => {
  const { id, number, mode, agent, session_id, prompts, progress } = attempt;
  const common = {
    id,
    task_id,
    number,
    mode,
    agent,
    session_id,
    prompt_ids: prompts.map((prompt) => prompt.id),
    context_version: Math.max(...prompts.map((each) => each.context_version)),
    started_at: attempt.started_at,
  };
  if (progress.kind !== "ended") {
    return {
      ...common,
      state: isBegun(attempt) ? "running" : "starting",
      agent_session_id: null,
      files_changed: null,
    };
  }
  const { outcome, reason, agent_session_id, resume } = progress;
  const { files_changed, files_left_out, at } = progress;
  return {
    ...common,
    state: "ended",
    outcome,
    ...(reason !== null && { reason: reason.text, reason_code: reason.code }),
    agent_session_id,
    ...(resume !== null && { resume, grade: resume.grade }),
    files_changed,
    ...(files_left_out > 0 && { files_left_out }),
    ended_at: at,
  };
};
