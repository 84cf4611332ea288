import { unreachable } from "../kit/unreachable.ts";
import type { StateName } from "../contract/session/state.ts";
import type { AttemptOutcome, TaskState } from "../contract/task/task.ts";
import {
  newestAttempt,
  openAttempt,
  type SessionStanding,
  type State,
} from "./state.ts";

type Standing = Pick<SessionStanding, "state" | "has_turns">;

/** The state of a task, by how its sessions stand, oldest first (TSK-5). */
export const taskState = (
  task: State,
  sessions: readonly Standing[],
): TaskState => {
  if (task.closed !== null)
    return task.closed === "done" ? "DONE" : "CANCELLED";
  if (sessions.some(isBusy) || openAttempt(task) !== null) return "IN_PROGRESS";
  if (task.next_retry !== null) return "IN_PROGRESS";
  const newest = sessions.at(-1);
  const ended = newest === undefined ? null : afterEnd(newest.state);
  if (ended !== null) return ended;
  const outcome = newestOutcome(task);
  if (outcome !== null) return outcome === "succeeded" ? "REVIEW" : "FAILED";
  return sessions.some(({ has_turns }) => has_turns) ? "REVIEW" : "TODO";
};

const isBusy = ({ state }: Standing): boolean =>
  state === "STARTING" || state === "RUNNING";

/** What becomes of a task whose newest session cannot go on as it is; null where it can. */
const afterEnd = (state: StateName): TaskState | null => {
  switch (state) {
    case "COMPLETED":
      return "DONE";
    case "CANCELLED":
      return "CANCELLED";
    case "FAILED":
    case "ERROR":
      return "FAILED";
    case "CREATED":
    case "STARTING":
    case "RUNNING":
    case "WAITING_FOR_INPUT":
    case "PAUSED":
      return null;
    default:
      return unreachable(state);
  }
};

const newestOutcome = (task: State): AttemptOutcome | null => {
  const progress = newestAttempt(task)?.progress;
  return progress?.kind === "ended" ? progress.outcome : null;
};
