/** Tasks are made, or made what somebody describes. */
import type {
  ApplyTaskRequest,
  CreateTaskRequest,
  NewContext,
} from "../../contract/api/task-request.ts";
import type { TaskId } from "../../contract/base/id.ts";
import { LOCAL } from "../../contract/base/place.ts";
import { MadeTask } from "../../contract/event/draft.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { SessionTemplate } from "../../contract/task/session-template.ts";
import { Task } from "../../contract/task/task.ts";
import type { TaskDescription } from "../../contract/task/task-event.ts";
import { once } from "../../journal/receipts.ts";
import type { Create } from "../../task/command.ts";
import type { State } from "../../task/state.ts";
import { chosenProfile } from "../callers/chosen-profile.ts";
import { contextOf, remember, runIfNew } from "./ask-task.ts";
import { retrySessionOf } from "./retry-session.ts";
import { showTask } from "./show-task.ts";
import { requireTaskPlace } from "./task-place.ts";
import { newIds, type TaskDeps } from "./task-deps.ts";

export const createTask = (
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
      const asked = checked(deps, request);
      const creation = creationOf(deps, request.name ?? null, asked);
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

/** With the agent of the profile that is named; one that nobody knows is refused, and so is a place that does not fit. */
const checked = <T extends ApplyTaskRequest>(deps: TaskDeps, request: T): T => {
  const chosen = chosenProfile(deps, request);
  requireTaskPlace(deps, request);
  if (chosen === null) return request;
  const { agent, profile } = chosen;
  return { ...request, agent, agent_profile_id: profile?.id };
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
export const applyTask = async (
  deps: TaskDeps,
  name: string,
  asked: ApplyTaskRequest,
): Promise<Task> => {
  const request = checked(deps, asked);
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
