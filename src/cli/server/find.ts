/** What is meant by an id: a full one as it is, or the beginning of exactly one, with or without its prefix; or a task's name. */
import type { Client } from "../../client/client.ts";
import { TaskName } from "../../contract/api/task-request.ts";
import { SessionId, TaskId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Session } from "../../contract/session/session.ts";
import type { Task } from "../../contract/task/task.ts";
import { collect, pages } from "./pages.ts";
import { UsageError } from "../parsing/usage-error.ts";

export const findSession = async (
  client: Client,
  given: string,
): Promise<SessionId> => {
  const full = SessionId.safeParse(given);
  if (full.success) return full.data;
  const [only, ...others] = await sessionsLike(client, given);
  if (only === undefined)
    throw new RepriseError(
      "session_not_found",
      `There is no session "${given}". \`reprise session list\` shows all.`,
    );
  if (others.length > 0) throw ambiguous(given, "sessions", [only, ...others]);
  return only;
};

export const findTask = async (
  client: Client,
  given: string,
): Promise<TaskId> => {
  const full = TaskId.safeParse(given);
  if (full.success) return full.data;
  const named = await taskNamed(client, given);
  if (named !== null) return named.id;
  const [only, ...others] = MAY_BEGIN_A_TASK_ID.test(given)
    ? beginWith(given, "tsk_", await collect(allTasks(client)))
    : [];
  if (only === undefined)
    throw new RepriseError(
      "task_not_found",
      `There is no task "${given}". \`reprise task list\` shows all.`,
    );
  if (others.length > 0) throw ambiguous(given, "tasks", [only, ...others]);
  return only;
};

/** Anything else is not worth reading all tasks for. */
const MAY_BEGIN_A_TASK_ID = /^(t|ts|tsk|(tsk_)?[0-9a-hjkmnp-tv-z]{0,26})$/;

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
  given: string,
): Promise<SessionId[]> => {
  for (const deleted of [false, true]) {
    const all = await collect(allSessions(client, { deleted }));
    const found = beginWith(given, "ses_", all);
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

export const allTasks = (client: Client): AsyncGenerator<Task> =>
  pages(async (after) => {
    const page = await client.listTasks({ limit: 500, ...after });
    return { items: page.tasks, next: page.next };
  });

const beginWith = <Id extends string>(
  given: string,
  prefix: string,
  items: readonly { id: Id }[],
): Id[] =>
  given === ""
    ? []
    : items
        .map(({ id }) => id)
        .filter((id) => id.startsWith(given) || id.startsWith(prefix + given));

const ambiguous = (
  given: string,
  nouns: string,
  matches: readonly string[],
): UsageError =>
  new UsageError(
    `"${given}" is the beginning of ${matches.length} ${nouns}:\n  ${matches.join("\n  ")}`,
  );
