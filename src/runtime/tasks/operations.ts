/** Everything that can be asked of tasks. */
import type {
  ApplyTaskRequest,
  ContextRequest,
  CreateTaskRequest,
  NewContext,
  RetryTaskRequest,
  RunTaskRequest,
} from "../../contract/api/task-request.ts";
import type { TaskId } from "../../contract/base/id.ts";
import { MadeTask, NoDraft } from "../../contract/event/draft.ts";
import { LOCAL } from "../../contract/base/place.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { SessionTemplate } from "../../contract/task/session-template.ts";
import { type Attempt, Task } from "../../contract/task/task.ts";
import type {
  TaskDescription,
  TaskEvent,
} from "../../contract/task/task-event.ts";
import { follow } from "../../journal/follow.ts";
import { once, type Kept } from "../../journal/receipts.ts";
import type { Command, Create, NewIds } from "../../task/command.ts";
import type { SessionStanding, State } from "../../task/state.ts";
import { attemptView, taskView } from "../../task/view.ts";
import { allSessions } from "../sessions/all-sessions.ts";
import { retrySessionOf } from "./retry-session.ts";
import { newIds, type TaskDeps } from "./task-deps.ts";
import { isTaskDamaged } from "./task-journal.ts";

export const taskOperations = (deps: TaskDeps) => ({
  createTask: (request: CreateTaskRequest, key?: string) =>
    createTask(deps, request, key),
  applyTask: (name: string, request: ApplyTaskRequest) =>
    applyTask(deps, name, request),
  listTasks: (page: { limit: number; after?: string }) =>
    deps.store.tasks(page),
  showTask: (id: TaskId) => showTask(deps, id),
  showTaskByName: async (name: string) => {
    const id = await deps.store.taskByName(name);
    if (id !== null) return showTask(deps, id);
    throw new RepriseError(
      "task_not_found",
      `There is no task with the name ${name}.`,
    );
  },
  runTask: (id: TaskId, request: RunTaskRequest, key?: string) =>
    runTask(deps, id, request, key),
  retryTask: (id: TaskId, request: RetryTaskRequest, key?: string) =>
    retryTask(deps, id, request, key),
  addContext: (id: TaskId, request: ContextRequest, key?: string) =>
    addContext(deps, id, request, key),
  closeTask: (id: TaskId, as: "done" | "cancelled", key?: string) =>
    ask(deps, id, { operation: as }, key, async () => ({
      type: "task.close",
      as,
    })),
  listAttempts: (id: TaskId) => listAttempts(deps, id),
  listTaskEvents: async (id: TaskId, after: number, limit: number) => {
    // Of a damaged one those before the damage.
    if ((await deps.store.task(id)) === null) await deps.tasks.state(id);
    return deps.store.taskEvents(id, after, limit);
  },
  followTask: (id: TaskId, after: number, signal: AbortSignal) =>
    follow(
      {
        commits: deps.commits,
        events: (task, from, limit) => deps.store.taskEvents(task, from, limit),
        lengthOf: (event: TaskEvent) => JSON.stringify(event).length,
      },
      id,
      after,
      signal,
    ),
});

export type TaskOperations = ReturnType<typeof taskOperations>;

const createTask = (
  deps: TaskDeps,
  { caller_env, ...request }: CreateTaskRequest,
  key?: string,
): Promise<Task> =>
  once<State, { id: TaskId }, Task>(deps, {
    scope: "tasks",
    key,
    request,
    draft: MadeTask,
    answer: Task,
    begin: async (keep) => {
      const creation = creationOf(deps, request.name ?? null, request);
      const { id } = await deps.tasks.create(
        creation,
        keep((after) => ({ id: after.id })),
      );
      return { id };
    },
    finish: async ({ id }) => {
      if (request.run) await runIfNew(deps, id, caller_env);
      return showTask(deps, id);
    },
  });

const creationOf = (
  { ids }: TaskDeps,
  name: string | null,
  request: ApplyTaskRequest,
): Create => ({
  ...descriptionOf(request),
  task_id: ids.task(),
  name,
  place: LOCAL,
  contexts: request.context.map(contextOf),
});

const contextOf = ({ name, text }: NewContext) =>
  name === undefined ? { text } : { name, text };

const descriptionOf = (request: ApplyTaskRequest): TaskDescription => {
  const { title, description, retry, timeout_minutes, budget } = request;
  return {
    title,
    description,
    retry,
    timeout_minutes: timeout_minutes ?? null,
    budget: budget ?? null,
    session: templateOf(request),
  };
};

/** What was said of its sessions, and nothing else. */
const templateOf = (request: ApplyTaskRequest): SessionTemplate => {
  const {
    title: _title,
    description: _description,
    retry: _retry,
    timeout_minutes: _timeout,
    budget: _budget,
    context: _context,
    run: _run,
    caller_env: _env,
    ...template
  } = { name: undefined, ...request };
  const { name: _name, ...session } = template;
  return Object.fromEntries(
    Object.entries(session).filter(([, value]) => value !== undefined),
  );
};

/** Makes the task with this name what is described. What is so already is left alone. */
const applyTask = async (
  deps: TaskDeps,
  name: string,
  request: ApplyTaskRequest,
): Promise<Task> => {
  const { caller_env, context } = request;
  const id = await idByName(deps, name, request);
  missingContexts(await deps.tasks.state(id), context);
  await deps.tasks.issue(id, {
    type: "task.describe",
    ...descriptionOf(request),
  });
  remember(deps, id, caller_env);
  await deps.tasks.exclusively(id, async (state) => ({
    command: {
      type: "context.add",
      contexts: missingContexts(state, context),
      ids: newIds(deps),
      session: await retrySessionOf(deps.sessions, state),
    },
    answer: () => undefined,
  }));
  if (request.run) await runIfNew(deps, id, caller_env);
  return showTask(deps, id);
};

/** Of the task that has the name, or is made with it. Another one may be quicker. */
const idByName = async (
  deps: TaskDeps,
  name: string,
  request: ApplyTaskRequest,
): Promise<TaskId> => {
  const known = await deps.store.taskByName(name);
  if (known !== null) return known;
  try {
    return (await deps.tasks.create(creationOf(deps, name, request))).id;
  } catch (error) {
    const made = await deps.store.taskByName(name);
    if (made === null) throw error;
    return made;
  }
};

/** Those that the task does not have. What agents were told cannot be taken back. */
const missingContexts = (
  { contexts }: State,
  asked: readonly NewContext[],
): ReturnType<typeof contextOf>[] => {
  const isKept = contexts.every(
    ({ name, text }, at) =>
      asked[at]?.text === text && asked[at]?.name === name,
  );
  if (!isKept)
    throw new RepriseError(
      "wrong_state",
      "Contexts can be added, not changed or removed: the list must begin with those that the task has.",
    );
  return asked.slice(contexts.length).map(contextOf);
};

const showTask = async (deps: TaskDeps, id: TaskId): Promise<Task> => {
  try {
    return taskView(await deps.tasks.state(id), await standings(deps, id));
  } catch (error) {
    const shown = isTaskDamaged(error) ? await deps.store.task(id) : null;
    if (shown === null) throw error;
    return shown;
  }
};

/** Its sessions as they stand now, oldest first, also those in the trash. */
const standings = async (
  { store }: TaskDeps,
  id: TaskId,
): Promise<SessionStanding[]> => {
  const found: { at: string; standing: SessionStanding }[] = [];
  for (const deleted of [false, true])
    for await (const session of allSessions(store, { task_id: id, deleted })) {
      const { state, turn_count, created_at } = session;
      const standing = { id: session.id, state, has_turns: turn_count > 0 };
      found.push({ at: `${created_at} ${session.id}`, standing });
    }
  return found
    .toSorted((one, other) => (one.at < other.at ? -1 : 1))
    .map(({ standing }) => standing);
};

const listAttempts = async (
  { tasks }: TaskDeps,
  id: TaskId,
): Promise<{ attempts: Attempt[]; next: null }> => {
  const state = await tasks.state(id);
  const attempts = state.attempts.map((each) => attemptView(state, each));
  return { attempts, next: null };
};

const DEFAULT_AGENT = "demo";

type CallerEnv = Record<string, string> | undefined;

const runTask = (
  deps: TaskDeps,
  id: TaskId,
  { agent, caller_env }: RunTaskRequest,
  key?: string,
): Promise<Task> =>
  ask(deps, id, { operation: "run", agent }, key, async ({ session }, ids) => {
    remember(deps, id, caller_env);
    const chosen = agent ?? session.agent ?? DEFAULT_AGENT;
    return { type: "task.run", ids, agent: chosen };
  });

/** For who asks that a task is there and runs: one that was run is left alone. */
const runIfNew = async (
  deps: TaskDeps,
  id: TaskId,
  caller_env: CallerEnv,
): Promise<void> => {
  const { attempts, closed } = await deps.tasks.state(id);
  if (attempts.length === 0 && closed === null)
    await runTask(deps, id, { caller_env });
};

const retryTask = (
  deps: TaskDeps,
  id: TaskId,
  { mode, agent, caller_env }: RetryTaskRequest,
  key?: string,
): Promise<Task> =>
  ask(
    deps,
    id,
    { operation: "retry", mode, agent },
    key,
    async (state, ids) => {
      remember(deps, id, caller_env);
      const session = await retrySessionOf(deps.sessions, state);
      if (mode === "continue" && isOther(agent, session?.agent))
        throw new RepriseError(
          "invalid_request",
          "Another agent cannot go on with the conversation: start over, or hand the session off.",
        );
      return {
        type: "task.retry",
        ids,
        mode: mode ?? null,
        agent: agent ?? null,
        session,
      };
    },
  );

const isOther = (asked: string | undefined, has: string | undefined): boolean =>
  asked !== undefined && has !== undefined && asked !== has;

const addContext = (
  deps: TaskDeps,
  id: TaskId,
  { text, contexts, caller_env }: ContextRequest,
  key?: string,
): Promise<Task> => {
  const added = (contexts ?? [{ text: text ?? "" }]).map(contextOf);
  const request = { operation: "context", contexts: added };
  return ask(deps, id, request, key, async (state, ids) => {
    remember(deps, id, caller_env);
    const session = await retrySessionOf(deps.sessions, state);
    return { type: "context.add", contexts: added, ids, session };
  });
};

const remember = ({ callers }: TaskDeps, id: TaskId, env: CallerEnv): void => {
  if (env !== undefined) callers.set(id, env);
};

/** What is asked of one task, once for each key: the effect is an event of that task. */
const ask = (
  deps: TaskDeps,
  id: TaskId,
  request: { operation: string } & Record<string, unknown>,
  key: string | undefined,
  commandFor: (state: State, ids: NewIds) => Promise<Command>,
): Promise<Task> =>
  once<State, null, Task>(deps, {
    scope: id,
    key,
    request,
    draft: NoDraft,
    answer: Task,
    begin: async (keep) => {
      const extras: Kept<State> = keep(() => null);
      await deps.tasks.exclusively(id, async (state) => ({
        command: await commandFor(state, newIds(deps)),
        extras,
        answer: () => undefined,
      }));
      return null;
    },
    finish: () => showTask(deps, id),
  });
