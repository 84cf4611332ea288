import type { AgentDefinition, McpServer } from "../../contract/agent/agent.ts";
import type { ContentBlock } from "../../contract/base/content.ts";
import { MadeSession } from "../../contract/event/draft.ts";
import { HOME_VARIABLES } from "../../contract/agent/home-variables.ts";
import { setAside } from "../../contract/agent/mcp-secret.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { CreateSessionRequest } from "../../contract/api/request.ts";
import { Session } from "../../contract/session/session.ts";
import type { NewPrompt } from "../../session/state/command.ts";
import { viewOf } from "../../session/view/view.ts";
import { chosenPlace } from "./chosen-place.ts";
import { type Kept, once } from "./session-wish.ts";
import { discardUnused } from "./discard-unused.ts";
import { findAgent, presumed } from "./find-agent.ts";
import type { OperationDeps } from "./operation-deps.ts";
import {
  forgetCreator,
  rememberAsker,
  rememberCreator,
  type SentWith,
} from "./remember-caller.ts";
import { shareWorkspace } from "./rewind/shares.ts";
import { workspaceFor } from "./workspace.ts";

/** Starts a session; the same key gives the same session. */
export const createSession = (
  deps: OperationDeps,
  { caller_env, ...request }: CreateSessionRequest,
  key?: string,
): Promise<Session> =>
  once(deps, {
    scope: "sessions",
    key,
    request,
    draft: MadeSession,
    answer: Session,
    begin: (keep) =>
      create(
        deps,
        { ...request, caller_env },
        keep(({ id }) => ({ id })),
      ),
    again: ({ id }) => rememberAsker(deps, id, caller_env),
    finish: async ({ id }) => {
      const { engine } = deps;
      // What is made for it is its own.
      if (request.cwd !== undefined)
        await shareWorkspace(deps, await engine.state(id));
      return viewOf(await engine.state(id));
    },
  });

const create = async (
  deps: OperationDeps,
  request: CreateSessionRequest,
  kept: Kept,
): Promise<MadeSession> => {
  const { engine, ids, places, room, store } = deps;
  await room.check();
  if (
    request.task_id !== undefined &&
    (await store.task(request.task_id)) === null
  )
    throw new RepriseError(
      "task_not_found",
      `There is no task ${request.task_id}.`,
    );
  const at = chosenPlace(request.executor);
  const place = await places.obtain(at);
  const agent = await findAgent(deps, place, request);
  const session_id = ids.session();
  const workspace = await workspaceFor(deps, place, session_id, request);
  const { servers, values } = setAside(request.mcp_servers ?? []);
  const env = { ...request.env, ...values };
  const definition = definitionOf(
    request,
    deps.overrides[request.agent]?.home,
    { servers, env },
  );
  const sent = rememberCreator(
    deps,
    { id: session_id, agent: { definition } },
    request.caller_env,
  );
  const creating = engine.create(
    {
      session_id,
      task_id: request.task_id ?? null,
      name: request.name ?? null,
      definition,
      abilities: presumed(agent),
      place: at,
      ...workspace,
      on_interrupt: request.on_interrupt,
      parent: null,
      origin: null,
      checkpoints: request.checkpoints ?? deps.checkpoints,
      prompt: firstPrompt(request, ids, sent),
    },
    { ...kept, secrets: { env: { ...homeOf(deps, request), ...env } } },
  );
  await creating.catch(async (error: unknown) => {
    await forgetCreator(deps, session_id);
    if (request.cwd === undefined)
      await discardUnused(deps, place, session_id, workspace.worktree);
    throw error;
  });
  return { id: session_id };
};

/**
 * Where the agent keeps its things, as the person has it: kept with the session where the server has it elsewhere and the
 * configuration says nothing about it.
 */
const homeOf = (
  { agentEnv, overrides }: OperationDeps,
  { agent, caller_env = {} }: CreateSessionRequest,
): Record<string, string> =>
  Object.fromEntries(
    HOME_VARIABLES.flatMap((name) => {
      const path = caller_env[name];
      const isConfigured = overrides[agent]?.env?.[name] !== undefined;
      return path === undefined || path === agentEnv[name] || isConfigured
        ? []
        : [[name, path]];
    }),
  );

const firstPrompt = (
  { prompt, content }: CreateSessionRequest,
  ids: OperationDeps["ids"],
  sent: SentWith,
): NewPrompt | null => {
  const prompt_id = ids.prompt();
  if (content !== undefined) return { prompt_id, content, ...sent };
  if (prompt === undefined) return null;
  const words: ContentBlock = { type: "text", text: prompt };
  return { prompt_id, content: [words], ...sent };
};

const definitionOf = (
  request: CreateSessionRequest,
  home: AgentDefinition["home"] | undefined,
  {
    servers,
    env,
  }: { servers: McpServer[]; env: Readonly<Record<string, string>> },
): AgentDefinition => {
  const {
    agent,
    model,
    mode,
    options,
    instructions,
    settings,
    allowed_tools,
    disallowed_tools,
    permissions,
    model_fallback,
    advisory_tools,
  } = request;
  return {
    agent,
    home: request.home ?? home ?? "user",
    ...(model === undefined ? {} : { model }),
    ...(mode === undefined ? {} : { mode }),
    ...(options === undefined ? {} : { options }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(settings === undefined ? {} : { settings }),
    ...(servers.length === 0 ? {} : { mcp_servers: servers }),
    ...(allowed_tools === undefined ? {} : { allowed_tools }),
    ...(disallowed_tools === undefined ? {} : { disallowed_tools }),
    ...(permissions === undefined ? {} : { permissions }),
    ...(model_fallback === undefined ? {} : { model_fallback }),
    ...(advisory_tools === undefined ? {} : { advisory_tools }),
    env_names: Object.keys(env),
  };
};
