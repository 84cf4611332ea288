/** The tools and what belongs to them, for one connection or one request. Both eras of the protocol are served by it. */
import {
  McpServer,
  type McpRequestContext,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { callerOf, TASKS_EXTENSION } from "./base/caller.ts";
import type { Door } from "./base/door.ts";
import type { Tool } from "./base/tool.ts";
import { serveResources } from "./resources.ts";
import { listAgents } from "./tools/agents.ts";
import { invokeAgent } from "./tools/invoke.ts";
import {
  answerPermission,
  listPendingPermissions,
} from "./tools/permissions.ts";
import {
  endSession,
  forkSession,
  getConversation,
  getSession,
  listSessions,
  pauseSession,
  resumeSession,
} from "./tools/sessions.ts";
import { taskRetry, taskUpdate } from "./tools/tasks.ts";
import { cancelTurn, waitForSession } from "./tools/waiting.ts";
import { serveTasks } from "./work/serve-tasks.ts";

const tools: readonly Tool[] = [
  invokeAgent,
  waitForSession,
  listAgents,
  listSessions,
  getSession,
  getConversation,
  cancelTurn,
  pauseSession,
  resumeSession,
  endSession,
  forkSession,
  listPendingPermissions,
  answerPermission,
  taskRetry,
  taskUpdate,
];

/** How often one call may ask its person something, and how long a person may take. */
const MAX_FORMS = 100;
const FORM_MS = 24 * 60 * 60 * 1000;

export const buildServer = (
  door: Door,
  { era }: Pick<McpRequestContext, "era">,
): McpServer => {
  const server = new McpServer(
    { name: "reprise", title: "Reprise", version: door.version },
    {
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        ...(era === "modern" && { extensions: { [TASKS_EXTENSION]: {} } }),
      },
      instructions:
        "Reprise runs coding agents in durable sessions. invoke_agent starts one or continues one; its answer says what to call next. Work goes on when a call ends: wait_for_session gets the result.",
      inputRequired: { maxRounds: MAX_FORMS, roundTimeoutMs: FORM_MS },
      requestState: { verify: door.states.verify },
    },
  );
  const caller = (ctx: ServerContext) => callerOf(server, era, ctx);
  for (const each of tools)
    each.register(server, (ctx) => ({ door, ctx, caller: caller(ctx) }));
  serveResources(server, door);
  if (era === "modern") serveTasks(server, door, caller);
  return server;
};
