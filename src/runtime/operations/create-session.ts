import type { AgentDefinition, McpServer } from "../../contract/agent/agent.ts";
import { limitsOf } from "../../contract/agent/prompt-limits.ts";
import {
  isLocal,
  KIND_DOCKER,
  type PlaceRef,
} from "../../contract/base/place.ts";
import type { SessionId } from "../../contract/base/id.ts";
import type { Budget } from "../../contract/base/budget.ts";
import type { ContentBlock } from "../../contract/base/content.ts";
import { MadeSession } from "../../contract/event/draft.ts";
import { HOME_VARIABLES } from "../../contract/agent/home-variables.ts";
import { setAside } from "../../contract/agent/mcp-secret.ts";
import type { CreateSessionRequest } from "../../contract/api/request.ts";
import { Session } from "../../contract/session/session.ts";
import type { NewPrompt } from "../../session/state/command.ts";
import { viewOf } from "../../session/view/view.ts";
import { chosenPlace, requireFit } from "./chosen-place.ts";
import { type Kept, once } from "./session-wish.ts";
import { discardUnused } from "./discard-unused.ts";
import {
  comparable,
  sessionOrder,
  type SessionOrder,
} from "../callers/chosen-profile.ts";
import { requireVariables } from "../callers/session-environment.ts";
import { findAgent, presumed } from "../callers/find-agent.ts";
import { checkTask } from "./open-task.ts";
import type { OperationDeps } from "./operation-deps.ts";
import {
  forgetCreator,
  rememberAsker,
  rememberCreator,
  type SentWith,
} from "./remember-caller.ts";
import { shareWorkspace } from "./rewind/shares.ts";
import { checkSandbox, checkSandboxedPlace } from "../places/sandbox.ts";
import { checkStandIns } from "./stand-ins.ts";
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
    request: comparable(request),
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
  asked: CreateSessionRequest,
  kept: Kept,
): Promise<MadeSession> => {
  const { engine, ids, room } = deps;
  const request = sessionOrder(deps, asked);
  await room.check();
  await checkTask(deps, request.task_id);
  // One that nobody knows is refused.
  if (request.called_by !== undefined) await engine.state(request.called_by);
  const session_id = ids.session();
  const at = chosenPlace(deps, request, session_id);
  requireFit(at, request);
  checkSandboxedPlace(at, request);
  if (at.kind === KIND_DOCKER)
    await deps.places.prepare(at, {
      cwd: request.cwd ?? null,
      image: request.image,
    });
  try {
    return await createAt(deps, request, { session_id, at }, kept);
  } catch (error) {
    if (at.kind === KIND_DOCKER) await removeUnused(deps, session_id, at);
    throw error;
  }
};

/** Takes away the place that was made for a session which could not be created. */
const removeUnused = async (
  { store, places, log }: OperationDeps,
  session_id: SessionId,
  at: PlaceRef,
): Promise<void> => {
  try {
    if ((await store.session(session_id)) === null) await places.remove(at);
  } catch (error) {
    log.warn(
      { session_id, err: error },
      "the container of a session that could not be created is left behind",
    );
  }
};

const createAt = async (
  deps: OperationDeps,
  request: SessionOrder,
  { session_id, at }: { session_id: SessionId; at: PlaceRef },
  kept: Kept,
): Promise<MadeSession> => {
  const { engine, ids, places } = deps;
  const place = await places.obtain(at);
  const { caller_env } = request;
  const agent = await findAgent(deps, place, { ...request, at });
  const on_quota = request.on_quota ?? deps.onQuota;
  await checkSandbox(place, request.sandbox, request.cwd);
  await checkStandIns(deps, place, { at, caller_env }, on_quota);
  const workspace = await workspaceFor(
    deps,
    { at, place },
    session_id,
    request,
  );
  const { servers, values } = setAside(request.mcp_servers ?? []);
  const env = { ...request.env, ...values };
  const definition = definitionOf(
    request,
    deps.overrides[request.agent]?.home,
    { servers, env },
  );
  requireVariables(deps, definition);
  const sent = rememberCreator(
    deps,
    { id: session_id, agent: { definition }, workspace: { place: at } },
    caller_env,
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
      ...budgetOf(request.budget ?? deps.budget),
      ...(on_quota !== undefined && { on_quota }),
      parent: null,
      ...(request.called_by !== undefined && { called_by: request.called_by }),
      origin: null,
      checkpoints: request.checkpoints ?? deps.checkpoints,
      prompt: firstPrompt(request, ids, sent),
    },
    { ...kept, secrets: { env: { ...homeOf(deps, at, request), ...env } } },
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
  at: PlaceRef,
  { agent, caller_env = {}, env_from }: SessionOrder,
): Record<string, string> => {
  if (!isLocal(at)) return {};
  return Object.fromEntries(
    HOME_VARIABLES.flatMap((name) => {
      const path = caller_env[name];
      const isConfigured =
        overrides[agent]?.env?.[name] !== undefined ||
        env_from[name] !== undefined;
      return path === undefined || path === agentEnv[name] || isConfigured
        ? []
        : [[name, path]];
    }),
  );
};

const budgetOf = (budget: Budget | null): { budget?: Budget } =>
  budget === null ? {} : { budget };

const firstPrompt = (
  { prompt, content, limits }: SessionOrder,
  ids: OperationDeps["ids"],
  sent: SentWith,
): NewPrompt | null => {
  const prompt_id = ids.prompt();
  const held = { ...sent, ...limitsOf({ limits }) };
  if (content !== undefined) return { prompt_id, content, ...held };
  if (prompt === undefined) return null;
  const words: ContentBlock = { type: "text", text: prompt };
  return { prompt_id, content: [words], ...held };
};

const definitionOf = (
  request: SessionOrder,
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
    sandbox,
    profile,
    env_from,
  } = request;
  return {
    agent,
    home: sandbox === undefined ? (request.home ?? home ?? "user") : "session",
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
    ...(sandbox === undefined ? {} : { sandbox }),
    env_names: Object.keys(env),
    ...(profile === null ? {} : { profile }),
    ...(Object.keys(env_from).length === 0 ? {} : { env_from }),
  };
};
