/** What the list of tasks shows, in which order: a flat list, so that only what is in sight is in the document. */
import type { Task } from "../../../src/contract/task/task.ts";

export type TaskSection =
  "Needs you" | "Working" | "Review" | "To do" | "Closed";

export type TaskItem =
  | { kind: "head"; key: string; name: TaskSection; count: number }
  | {
      kind: "task";
      key: string;
      task: Task;
      isFirst: boolean;
      isLast: boolean;
    };

const order: readonly TaskSection[] = [
  "Needs you",
  "Working",
  "Review",
  "To do",
  "Closed",
];

/** Where a task stands. A failed one waits for somebody: it does not try again by itself. */
export const sectionOf = ({
  state,
  needs_permission,
}: Pick<Task, "state" | "needs_permission">): TaskSection => {
  if (needs_permission) return "Needs you";
  switch (state) {
    case "FAILED":
      return "Needs you";
    case "IN_PROGRESS":
      return "Working";
    case "REVIEW":
      return "Review";
    case "TODO":
      return "To do";
    case "DONE":
    case "CANCELLED":
      return "Closed";
  }
};

/** A section without rows is left out. The task that changed last comes first in its section. */
export const taskItems = (tasks: Iterable<Task>, query: string): TaskItem[] => {
  const shown = [...tasks]
    .filter(({ deleted_at }) => deleted_at === undefined)
    .filter((task) => isMatch(task, query))
    .sort((one, other) => (one.last_updated < other.last_updated ? 1 : -1));
  const sections = Map.groupBy(shown, sectionOf);
  return order.flatMap((name) => rowsOf(name, sections.get(name) ?? []));
};

const rowsOf = (name: TaskSection, tasks: readonly Task[]): TaskItem[] =>
  tasks.length === 0
    ? []
    : [
        { kind: "head", key: name, name, count: tasks.length },
        ...tasks.map((task, i) => ({
          kind: "task" as const,
          key: task.id,
          task,
          isFirst: i === 0,
          isLast: i === tasks.length - 1,
        })),
      ];

/** Every word has to be in its title, its description, its name, its directory, its agent or its id. */
const isMatch = (task: Task, query: string): boolean => {
  const text = [
    task.title,
    task.description,
    task.name,
    task.cwd,
    task.worktree,
    task.agent,
    task.id,
  ]
    .join("\n")
    .toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};
