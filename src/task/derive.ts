import type { SessionId, TaskId } from "../contract/base/id.ts";
import type { StateName } from "../contract/session/state.ts";
import type { Task, TaskState } from "../contract/session/task.ts";

interface Described {
  id: TaskId;
  title: string;
  description: string;
  created_at: string;
  damaged?: boolean;
}

interface SessionOfTask {
  id: SessionId;
  state: StateName;
  turn_count: number;
  last_active_at: string;
}

/** A task and what its sessions make of it. Its state is never stored: it follows. */
export const taskOf = (
  task: Described,
  sessions: readonly SessionOfTask[],
): Task => ({
  id: task.id,
  title: task.title,
  description: task.description,
  state: taskState(sessions),
  session_ids: sessions.map(({ id }) => id),
  created_at: task.created_at,
  updated_at: sessions.reduce(
    (latest, { last_active_at }) =>
      last_active_at > latest ? last_active_at : latest,
    task.created_at,
  ),
  ...(task.damaged === true ? { damaged: true } : {}),
});

/** In progress while any session starts or runs, up for review once a turn is over. */
export const taskState = (
  sessions: readonly Pick<SessionOfTask, "state" | "turn_count">[],
): TaskState => {
  if (sessions.some(({ state }) => state === "STARTING" || state === "RUNNING"))
    return "IN_PROGRESS";
  if (sessions.some(({ turn_count }) => turn_count > 0)) return "REVIEW";
  return sessions.length === 0 ? "CREATED" : "IN_PROGRESS";
};
