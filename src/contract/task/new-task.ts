import type { Task } from "./task.ts";

/** What is known of a task that nothing was done for. */
interface New<Id extends string> {
  id: Id;
  title: string;
  description: string;
  created_at: string;
  name?: string;
  retry?: Task["retry"];
  last_seq?: number;
}

/** Unless a task says otherwise, it does not try again by itself. */
export const NO_RETRY: Task["retry"] = {
  limit: 0,
  backoff_seconds: 10,
  most_seconds: 600,
};

/** How a task is shown that nobody has worked on. The id of a damaged row may be any text. */
export const newTask = <Id extends string>(
  task: New<Id>,
): Omit<Task, "id"> & { id: Id } => {
  const { id, name, title, description, created_at } = task;
  const status = {
    session_id: null,
    attempts: 0,
    context_version: 1,
    last_updated: created_at,
  };
  return {
    id,
    ...(name !== undefined && { name }),
    title,
    description,
    state: "TODO",
    needs_permission: false,
    ...status,
    status,
    contexts: [],
    session_ids: [],
    retry: task.retry ?? NO_RETRY,
    last_seq: task.last_seq ?? 1,
    created_at,
    updated_at: created_at,
  };
};
