import { fitting } from "../base/text-limit.ts";
import type { Task } from "./task.ts";

/** In characters, of a description as lists show it. */
const MAX_LISTED = 2000;

/** What lists show of a task: the texts that may be long are left out of it (TSK-30). */
export const listedTask = (task: Task): Task => {
  const { session: _, ...view } = task;
  const { description, contexts, shortened: before = [] } = view;
  const end = fitting(description, MAX_LISTED);
  const shortened = new Set([
    ...before,
    ...(end < description.length ? (["description"] as const) : []),
    ...(contexts.length > 0 ? (["contexts"] as const) : []),
  ]);
  return {
    ...view,
    description: description.slice(0, end),
    contexts: [],
    ...(shortened.size > 0 && { shortened: [...shortened] }),
  };
};
