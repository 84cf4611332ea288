/** What is meant by an id: a full one as it is, or the beginning of exactly one, with or without its prefix; or a task's name. */
import type { Client } from "../../client/client.ts";
import { TaskName } from "../../contract/api/task-request.ts";
import { SessionId, TaskId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Task, TaskState } from "../../contract/task/task.ts";
import { pages } from "../../client/pages.ts";
import { UsageError } from "../parsing/usage-error.ts";

export const findSession = async (
  client: Client,
  beginning: string,
): Promise<SessionId> => {
  const full = SessionId.safeParse(beginning);
  if (full.success) return full.data;
  const prefix = prefixOf("ses_", beginning);
  const [only, ...others] =
    prefix === null ? [] : await sessionsBegunSo(client, prefix);
  if (only === undefined)
    throw new RepriseError(
      "session_not_found",
      `There is no session "${beginning}". \`reprise session list\` shows all.`,
    );
  if (others.length > 0)
    throw ambiguous(beginning, "sessions", [only, ...others]);
  return only;
};

export const findTask = async (
  client: Client,
  beginning: string,
): Promise<TaskId> => {
  const full = TaskId.safeParse(beginning);
  if (full.success) return full.data;
  const named = await taskNamed(client, beginning);
  if (named !== null) return named.id;
  const prefix = prefixOf("tsk_", beginning);
  const [only, ...others] =
    prefix === null ? [] : await tasksBegunSo(client, prefix);
  if (only === undefined)
    throw new RepriseError(
      "task_not_found",
      `There is no task "${beginning}". \`reprise task list\` shows all.`,
    );
  if (others.length > 0) throw ambiguous(beginning, "tasks", [only, ...others]);
  return only;
};

/** So many of those that are meant are named. */
const MAX_NAMED = 100;

/** Those in the trash are meant only when no other is. */
const tasksBegunSo = async (
  client: Client,
  prefix: string,
): Promise<TaskId[]> => {
  for (const deleted of [false, true]) {
    const filter = { prefix, deleted, limit: MAX_NAMED };
    const { tasks } = await client.listTasks(filter);
    if (tasks.length > 0) return tasks.map(({ id }) => id);
  }
  return [];
};

/** The beginning of an id, with or without its prefix; null where no id begins so. */
const prefixOf = (kind: "ses_" | "tsk_", beginning: string): string | null => {
  if (beginning !== "" && kind.startsWith(beginning)) return kind;
  const rest = beginning.startsWith(kind)
    ? beginning.slice(kind.length)
    : beginning;
  return /^[0-9a-hjkmnp-tv-z]{1,26}$/.test(rest) ? `${kind}${rest}` : null;
};

/** The task with exactly this name, if there is one. */
export const taskNamed = async (
  client: Client,
  given: string,
): Promise<Task | null> => {
  const name = TaskName.safeParse(given);
  if (!name.success) return null;
  try {
    return await client.showTaskByName(name.data);
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
};

/** `not_found` comes from a server of an older release, which knows tasks by their ids only. */
const isNotFound = (error: unknown): boolean =>
  error instanceof RepriseError &&
  (error.code === "task_not_found" || error.code === "not_found");

/** Those in the trash are meant only when no other is. */
const sessionsBegunSo = async (
  client: Client,
  prefix: string,
): Promise<SessionId[]> => {
  for (const deleted of [false, true]) {
    const filter = { prefix, deleted, limit: MAX_NAMED };
    const { sessions } = await client.listSessions(filter);
    if (sessions.length > 0) return sessions.map(({ id }) => id);
  }
  return [];
};

export const allTasks = (
  client: Client,
  filter: { state?: TaskState; agent?: string; deleted?: boolean } = {},
): AsyncGenerator<Task> =>
  pages(async (after) => {
    const page = await client.listTasks({ ...filter, limit: 500, ...after });
    return { items: page.tasks, next: page.next };
  });

const ambiguous = (
  beginning: string,
  nouns: string,
  matches: readonly string[],
): UsageError =>
  new UsageError(
    `"${beginning}" is the beginning of ${matches.length} ${nouns}:\n  ${matches.join("\n  ")}`,
  );
