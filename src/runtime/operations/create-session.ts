import { mkdir } from "node:fs/promises";
import { isAbsolute, join, normalize } from "node:path";
import type {
  Abilities,
  AgentDefinition,
  AgentView,
} from "../../contract/agent.ts";
import type { SessionId } from "../../contract/id.ts";
import { RepriseError } from "../../contract/problem.ts";
import type { CreateSessionRequest } from "../../contract/request.ts";
import { Session } from "../../contract/session.ts";
import { hasErrno } from "../../kit/errno.ts";
import { viewOf } from "../../session/view.ts";
import { answeredBefore } from "../once.ts";
import type { Place, Receipt } from "../ports.ts";
import type { House } from "./house.ts";

const EXECUTOR = "standalone";

/** Starts a session; the same key gives the same session. */
export const createSession = (
  house: House,
  request: CreateSessionRequest,
  key?: string,
): Promise<Session> => {
  if (key === undefined) return create(house, request);
  return house.lanes.run(`sessions ${key}`, async () => {
    const before = await answeredBefore(house.store, "sessions", key, request);
    return "answer" in before
      ? Session.parse(JSON.parse(before.answer))
      : create(house, request, before.receipt);
  });
};

const create = async (
  house: House,
  request: CreateSessionRequest,
  receipt?: (answer: unknown) => Receipt,
): Promise<Session> => {
  const { engine, ids, places, room, store } = house;
  await room.check();
  if (
    request.task_id !== undefined &&
    (await store.task(request.task_id)) === null
  )
    throw new RepriseError(
      "task_not_found",
      `There is no task ${request.task_id}.`,
    );
  const place = await places.obtain(EXECUTOR);
  const agent = await findAgent(house, place, request.agent);
  const session_id = ids.session();
  const cwd = await workspaceFor(house, place, session_id, request.cwd);
  const state = await engine.create(
    {
      session_id,
      task_id: request.task_id ?? null,
      name: request.name ?? null,
      definition: definitionOf(request, house.overrides[request.agent]?.home),
      abilities: presumed(agent),
      executor: EXECUTOR,
      cwd,
      worktree: null,
      on_interrupt: request.on_interrupt,
      parent: null,
      origin: null,
      checkpoints: request.checkpoints ?? house.checkpoints,
      prompt:
        request.prompt === undefined
          ? null
          : {
              prompt_id: ids.prompt(),
              content: [{ type: "text", text: request.prompt }],
            },
    },
    {
      ...(request.env === undefined ? {} : { env: request.env }),
      ...(receipt === undefined
        ? {}
        : { receipt: (after) => receipt(viewOf(after)) }),
    },
  );
  return viewOf(state);
};

const findAgent = async (
  house: House,
  place: Place,
  id: string,
): Promise<AgentView> => {
  const agents = await place.agents({ ...house.overrides });
  const agent = agents.find((each) => each.id === id);
  if (agent === undefined)
    throw new RepriseError(
      "unknown_agent",
      `There is no agent ${id}. Known here: ${agents.map((each) => each.id).join(", ")}. Others can be defined in config.json.`,
    );
  if (!agent.installed) {
    const program = house.overrides[id]?.command?.[0] ?? agent.command[0] ?? id;
    const advice =
      agent.install === null
        ? "Check its command in config.json."
        : `Install it with: ${agent.install}`;
    throw new RepriseError(
      "agent_not_installed",
      `The agent ${id} is not installed: ${program} was not found. ${advice}`,
    );
  }
  return agent;
};

const workspaceFor = async (
  house: House,
  place: Place,
  session: SessionId,
  wanted: string | undefined,
): Promise<string> => {
  if (wanted === undefined) {
    const own = join(house.workspaces, session);
    await mkdir(own, { recursive: true, mode: 0o700 }).catch(
      (error: unknown) => {
        throw new RepriseError(
          hasErrno(error, "ENOSPC", "EDQUOT")
            ? "storage_full"
            : "storage_unavailable",
          `The workspace ${own} cannot be written: ${String(error)}. Check the disk, or choose a directory with cwd.`,
          { cause: error },
        );
      },
    );
    return own;
  }
  if (!isAbsolute(wanted))
    throw new RepriseError(
      "invalid_request",
      `cwd must be an absolute path, not ${wanted}.`,
    );
  const path = normalize(wanted);
  const kind = await place.workspace(path);
  if (kind === "missing")
    throw new RepriseError(
      "cwd_not_found",
      `${path} does not exist. Make the directory first, or choose another.`,
    );
  if (kind === "other")
    throw new RepriseError(
      "cwd_not_a_directory",
      `${path} is not a directory. Choose a directory.`,
    );
  return path;
};

const definitionOf = (
  request: CreateSessionRequest,
  home: AgentDefinition["home"] | undefined,
): AgentDefinition => {
  const {
    agent,
    model,
    mode,
    instructions,
    mcp_servers,
    allowed_tools,
    disallowed_tools,
  } = request;
  return {
    agent,
    home: request.home ?? home ?? "user",
    ...(model === undefined ? {} : { model }),
    ...(mode === undefined ? {} : { mode }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(mcp_servers === undefined ? {} : { mcp_servers }),
    ...(allowed_tools === undefined ? {} : { allowed_tools }),
    ...(disallowed_tools === undefined ? {} : { disallowed_tools }),
    env_names: Object.keys(request.env ?? {}),
  };
};

/** What is presumed of an agent until its handshake tells. */
const presumed = (agent: AgentView): Abilities => ({
  resume: agent.native_session_resume,
  load: agent.native_session_resume,
  fork: false,
  close: false,
  injection: agent.history_context_injection,
  images: false,
});
