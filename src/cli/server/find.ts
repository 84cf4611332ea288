/** What is meant by an id: a full one as it is, or the beginning of exactly one, with or without its prefix; or a task's name. */
import type { Client } from "../../client/client.ts";
import { TaskName } from "../../contract/api/task-request.ts";
import { SessionId, TaskId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Session } from "../../contract/session/session.ts";
import type { Task, TaskState } from "../../contract/task/task.ts";
import { collect, pages } from "./pages.ts";
import { UsageError } from "../parsing/usage-error.ts";

export const findSession = async (
  client: Client,
  beginning: string,
): Promise<SessionId> => {
  const full = SessionId.safeParse(beginning);
  if (full.success) return full.data;
  const [only, ...others] = await sessionsLike(client, beginning);
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
  const prefix = taskPrefix(beginning);
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
const taskPrefix = (beginning: string): string | null => {
  if (beginning !== "" && "tsk_".startsWith(beginning)) return "tsk_";
  const rest = beginning.replace(/^tsk_/, "");
  return /^[0-9a-hjkmnp-tv-z]{1,26}$/.test(rest) ? `tsk_${rest}` : null;
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
const sessionsLike = async (
  client: Client,
  beginning: string,
): Promise<SessionId[]> => {
  for (const deleted of [false, true]) {
    const all = await collect(allSessions(client, { deleted }));
    const found = beginWith(beginning, "ses_", all);
    if (found.length > 0) return found;
  }
  return [];
};

export const allSessions = (
  client: Client,
  filter: { cwd?: string; deleted?: boolean } = {},
): AsyncGenerator<Session> =>
  pages(async (after) => {
    const page = await client.listSessions({ ...filter, limit: 500, ...after });
    return { items: page.sessions, next: page.next };
  });

export const allTasks = (
  client: Client,
  filter: { state?: TaskState; agent?: string; deleted?: boolean } = {},
): AsyncGenerator<Task> =>
  pages(async (after) => {
    const page = await client.listTasks({ ...filter, limit: 500, ...after });
    return { items: page.tasks, next: page.next };
  });

const beginWith = <Id extends string>(
  beginning: string,
  prefix: string,
  items: readonly { id: Id }[],
): Id[] =>
  beginning === ""
    ? []
    : items
        .map(({ id }) => id)
        .filter(
          (id) => id.startsWith(beginning) || id.startsWith(prefix + beginning),
        );

const ambiguous = (
  beginning: string,
  nouns: string,
  matches: readonly string[],
): UsageError =>
  new UsageError(
    `"${beginning}" is the beginning of ${matches.length} ${nouns}:\n  ${matches.join("\n  ")}`,
  );
