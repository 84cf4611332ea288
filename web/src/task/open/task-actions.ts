/** What can be done with a task, by how it stands. */
import type { Task } from "../../../../src/contract/task/task.ts";

export type TaskAction =
  "run" | "continue" | "fresh" | "done" | "cancel" | "delete" | "undelete";

export interface TaskActions {
  suggested: TaskAction | null;
  others: readonly TaskAction[];
  /** When context that is added now is told; null where none can be added. */
  context: "this attempt" | "next attempt" | "first attempt" | null;
}

const closing = ["cancel", "delete"] as const;

export const actionsOf = (task: Task): TaskActions => {
  if (task.deleted_at !== undefined)
    return { suggested: "undelete", others: [], context: null };
  if (task.closed_at !== undefined)
    return { suggested: null, others: ["delete"], context: null };
  if (task.attempts === 0)
    return {
      suggested: task.state === "TODO" ? "run" : "done",
      others: closing,
      context: "first attempt",
    };
  switch (task.state) {
    case "IN_PROGRESS":
      // An attempt under way is not doubled; a retry that is to come can be had at once.
      return task.retry_at === undefined
        ? {
            suggested: null,
            others: ["done", ...closing],
            context: "this attempt",
          }
        : {
            suggested: null,
            others: ["continue", "fresh", "done", ...closing],
            context: "next attempt",
          };
    case "REVIEW":
      return {
        suggested: "done",
        others: ["continue", "fresh", ...closing],
        context: "next attempt",
      };
    case "TODO":
    case "FAILED":
    case "DONE":
    case "CANCELLED":
      return {
        suggested: task.budget?.reached == null ? "continue" : null,
        others: ["fresh", "done", ...closing],
        context: "next attempt",
      };
  }
};

export const actionWords: Readonly<Record<TaskAction, string>> = {
  run: "Run it",
  continue: "Retry",
  fresh: "Retry fresh",
  done: "Done",
  cancel: "Cancel task",
  delete: "Delete",
  undelete: "Take it out",
};

/** What the pointer is told of an action. */
export const actionHints: Partial<Record<TaskAction, string>> = {
  continue: "Go on in the same session: the agent is told what was cut short",
  fresh: "Start over in a new session, in the same directory as it is",
  done: "Close it: its sessions end as completed",
};

/** What is final is asked for twice, with these words; null where it is done at once. */
export const confirmationOf = (
  action: TaskAction,
  task: Pick<Task, "state" | "closed_at">,
): string | null => {
  const isWorking = task.state === "IN_PROGRESS";
  const cut = isWorking ? " The attempt under way is stopped." : "";
  switch (action) {
    case "cancel":
      return `Cancelling is final: its sessions end.${cut}`;
    case "delete":
      return task.closed_at === undefined
        ? `It is cancelled first, which is final: its sessions end.${cut}`
        : null;
    case "done":
      return isWorking ? `Its sessions end.${cut}` : null;
    case "run":
    case "continue":
    case "fresh":
    case "undelete":
      return null;
  }
};

export const contextHint = (
  context: NonNullable<TaskActions["context"]>,
): string => {
  switch (context) {
    case "this attempt":
      return "The agent is told in the attempt that is under way.";
    case "first attempt":
      return "It is told with the description.";
    case "next attempt":
      return "Another attempt begins in the same conversation.";
  }
};
