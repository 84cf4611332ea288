/** What is asked of a task that is there: attempts, contexts, an end. */
import type {
  ContextRequest,
  NewContext,
  RetryTaskRequest,
  RunTaskRequest,
} from "../../contract/api/task-request.ts";
import type { AgentId } from "../../contract/agent/agent.ts";
import { DEFAULT_AGENT } from "../../contract/api/request.ts";
import type { TaskId } from "../../contract/base/id.ts";
import { NoDraft } from "../../contract/event/draft.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { SessionTemplate } from "../../contract/task/session-template.ts";
import { Task } from "../../contract/task/task.ts";
import { once, type Kept } from "../../journal/receipts.ts";
import { isOtherProfile } from "../../task/attempts.ts";
import type { Command, NamedProfile, NewIds } from "../../task/command.ts";
import type { State } from "../../task/state.ts";
import { chosenProfile } from "../callers/chosen-profile.ts";
import { retrySessionOf } from "./retry-session.ts";
import { showTask } from "./show-task.ts";
import { newIds, type TaskDeps } from "./task-deps.ts";
import { requireTaskPlace } from "./task-place.ts";

type CallerEnv = Record<string, string> | undefined;

export const runTask = (
  deps: TaskDeps,
  id: TaskId,
  { caller_env, ...named }: RunTaskRequest,
  key?: string,
): Promise<Task> =>
  ask(
    deps,
    id,
    { operation: "run", ...named },
    key,
    async ({ session }, ids) => {
      const chosen = namedBy(deps, named);
      const agent = chosen.agent ?? session.agent ?? DEFAULT_AGENT;
      const isOthers = agent !== (session.agent ?? DEFAULT_AGENT);
      requirePlace(
        deps,
        session,
        chosen.profile ?? (isOthers ? null : undefined),
      );
      remember(deps, id, caller_env);
      return { type: "task.run", ids, agent, profile: chosen.profile };
    },
  );

/** By the profile that an attempt names, else that of the task. */
const requirePlace = (
  deps: TaskDeps,
  { agent_profile_id, ...session }: SessionTemplate,
  profile: NamedProfile,
): void => {
  const named = profile === undefined ? agent_profile_id : profile;
  requireTaskPlace(deps, {
    ...session,
    ...(named != null && { agent_profile_id: named }),
  });
};

/** Who only names an agent says nothing about the profile. */
const namedBy = (
  deps: TaskDeps,
  named: Pick<RunTaskRequest, "agent" | "agent_profile_id">,
): { agent?: AgentId; profile?: NamedProfile } => {
  const chosen = chosenProfile(deps, named);
  if (chosen === null) return {};
  const { agent, profile } = chosen;
  return named.agent_profile_id === undefined
    ? { agent }
    : { agent, profile: profile?.id ?? null };
};

/** For who asks that a task is there and runs: one that was run is left alone, also by somebody else just now. */
export const runIfNew = async (
  deps: TaskDeps,
  id: TaskId,
  caller_env: CallerEnv,
): Promise<void> =>
  deps.tasks.exclusively(id, async ({ attempts, closed, session }) => {
    const answer = () => undefined;
    if (attempts.length > 0 || closed !== null)
      return { command: null, answer };
    remember(deps, id, caller_env);
    const agent = session.agent ?? DEFAULT_AGENT;
    const ids = newIds(deps);
    return { command: { type: "task.run", ids, agent }, answer };
  });

export const retryTask = (
  deps: TaskDeps,
  id: TaskId,
  { mode, caller_env, ...named }: RetryTaskRequest,
  key?: string,
): Promise<Task> =>
  ask(
    deps,
    id,
    { operation: "retry", mode, ...named },
    key,
    async (state, ids) => {
      const { agent, profile } = namedBy(deps, named);
      // Without one it may go on in the session that is there.
      if (profile !== undefined) requirePlace(deps, state.session, profile);
      remember(deps, id, caller_env);
      const session = await retrySessionOf(deps.sessions, state);
      if (mode === "continue" && isOther(agent, session?.agent))
        throw new RepriseError(
          "invalid_request",
          "Another agent cannot go on with the conversation: start over, or hand the session off.",
        );
      if (
        mode === "continue" &&
        session !== null &&
        isOtherProfile(profile, session)
      )
        throw new RepriseError(
          "invalid_request",
          "The session of the last attempt keeps its profile: start over to use another one.",
        );
      return {
        type: "task.retry",
        ids,
        mode: mode ?? null,
        agent: agent ?? null,
        profile,
        session,
      };
    },
  );

const isOther = (asked: string | undefined, has: string | undefined): boolean =>
  asked !== undefined && has !== undefined && asked !== has;

export const contextOf = ({ name, text }: NewContext) =>
  name === undefined ? { text } : { name, text };

export const addContext = (
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

export const remember = (
  { callers }: TaskDeps,
  id: TaskId,
  env: CallerEnv,
): void => {
  if (env !== undefined) callers.set(id, env);
};

/** What is asked of one task, once for each key: the effect is an event of that task. */
export const ask = (
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

/** Another task may have its name meanwhile. */
export const freeName = async (
  { store }: TaskDeps,
  name: string | null,
): Promise<string | null> =>
  name !== null && (await store.taskByName(name)) === null ? name : null;
