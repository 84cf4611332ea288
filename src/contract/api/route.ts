import * as z from "zod";
import { AgentView } from "../agent/agent.ts";
import { agreementRoutes } from "./agreement-route.ts";
import { ChangeSessionRequest } from "./change-request.ts";
import { checkpointRoutes } from "./checkpoint-route.ts";
import { damageRoutes } from "./damage-route.ts";
import { directoryRoutes } from "./directory-route.ts";
import { Event } from "../event/event.ts";
import { Message } from "../session/message.ts";
import { Permission } from "../agent/permission.ts";
import { Prompt } from "../session/prompt.ts";
import {
  AgentsQuery,
  CreateSessionRequest,
  EmptyRequest,
  EndRequest,
  EventsQuery,
  MessagesQuery,
  PermissionAnswer,
  PromptRequest,
  ResolveRequest,
  ResumeRequest,
  SessionsQuery,
  StreamQuery,
} from "./request.ts";
import { Executor, Session, SessionStatus } from "../session/session.ts";
import { findRoutes } from "./find-route.ts";
import { lineRoutes } from "./line-route.ts";
import { shellRoutes } from "./shell-route.ts";
import { runRoutes } from "./run-route.ts";
import { streamRoutes } from "./stream-route.ts";
import { taskRoutes } from "./task-route.ts";
import { workspaceRoutes } from "./workspace-route.ts";
import { webhookRoutes } from "./webhook-route.ts";
import { windowRoutes } from "./window-route.ts";

export const Health = z.object({
  status: z.literal("ok"),
  version: z.string(),
});

/** Lists say where the next page begins; null at the end. */
const next = z.string().nullable();
export const SessionPage = z.object({ sessions: z.array(Session), next });
export const EventPage = z.object({ events: z.array(Event), next });
export const MessagePage = z.object({
  messages: z.array(Message),
  next,
  /** What `before=` takes for the messages before these; null where there are none. Older servers did not tell. */
  previous: next.optional(),
  /** The messages are as they were after this event. Older servers did not tell. */
  seq: z.int().optional(),
});
export const AgentPage = z.object({ agents: z.array(AgentView), next });
export const ExecutorPage = z.object({ executors: z.array(Executor), next });

interface Route {
  /** Every POST and PATCH takes an `Idempotency-Key`. */
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With `:name` for parameters. */
  path: string;
  summary: string;
  query?: z.ZodObject;
  body?: z.ZodType;
  status: number;
  answer: z.ZodType;
  /**
   * `open`: needs no token. `stream`: server-sent events. `upload`: takes a file as its body. `download`: answers with one.
   * `document`: or with a document, besides.
   */
  traits?: readonly ("open" | "stream" | "upload" | "download" | "document")[];
}

/** Every route of the server. The server mounts them, the client calls them, `/openapi.json` is made from them. */
export const routes = {
  health: {
    method: "GET",
    path: "/health",
    summary: "Is the server up",
    status: 200,
    answer: Health,
    traits: ["open"],
  },
  createSession: {
    method: "POST",
    path: "/api/sessions",
    summary: "Start a session",
    body: CreateSessionRequest,
    status: 201,
    answer: Session,
  },
  listSessions: {
    method: "GET",
    path: "/api/sessions",
    summary:
      "List sessions, the most recently active or the most recently asked for first",
    query: SessionsQuery,
    status: 200,
    answer: SessionPage,
  },
  showSession: {
    method: "GET",
    path: "/api/sessions/:id",
    summary: "Show a session",
    status: 200,
    answer: Session,
  },
  changeSession: {
    method: "PATCH",
    path: "/api/sessions/:id",
    summary:
      "Change a session and the settings of its agent, also while that runs",
    body: ChangeSessionRequest,
    status: 200,
    answer: Session,
  },
  sessionStatus: {
    method: "GET",
    path: "/api/sessions/:id/status",
    summary: "Whether a session can be resumed, must be, and why",
    status: 200,
    answer: SessionStatus,
  },
  queuePrompt: {
    method: "POST",
    path: "/api/sessions/:id/prompts",
    summary: "Give a session a prompt; answered once it is durable",
    body: PromptRequest,
    status: 202,
    answer: Prompt,
  },
  showPrompt: {
    method: "GET",
    path: "/api/sessions/:id/prompts/:prompt_id",
    summary: "Look up a prompt",
    status: 200,
    answer: Prompt,
  },
  cancelPrompt: {
    method: "DELETE",
    path: "/api/sessions/:id/prompts/:prompt_id",
    summary: "Cancel a prompt that still waits",
    status: 200,
    answer: Prompt,
  },
  resolvePrompt: {
    method: "POST",
    path: "/api/sessions/:id/prompts/:prompt_id/resolve",
    summary: "Decide about an interrupted or uncertain prompt",
    body: ResolveRequest,
    status: 200,
    answer: Prompt,
  },
  resumeSession: {
    method: "POST",
    path: "/api/sessions/:id/resume",
    summary: "Bring the agent back, with changes to what it was asked for",
    body: ResumeRequest,
    status: 200,
    answer: Session,
  },
  pauseSession: {
    method: "POST",
    path: "/api/sessions/:id/pause",
    summary: "Stop the agent, keep the session",
    body: EmptyRequest,
    status: 200,
    answer: Session,
  },
  endSession: {
    method: "POST",
    path: "/api/sessions/:id/end",
    summary: "End a session for good",
    body: EndRequest,
    status: 200,
    answer: Session,
  },
  cancelTurn: {
    method: "POST",
    path: "/api/sessions/:id/cancel",
    summary: "Cancel the turn in progress",
    body: EmptyRequest,
    status: 200,
    answer: Session,
  },
  recoverSession: {
    method: "POST",
    path: "/api/sessions/:id/recover",
    summary: "Unstick a session: compare it with the world and repair it",
    body: EmptyRequest,
    status: 200,
    answer: Session,
  },
  listEvents: {
    method: "GET",
    path: "/api/sessions/:id/events",
    summary: "Events after a cursor",
    query: EventsQuery,
    status: 200,
    answer: EventPage,
  },
  listMessages: {
    method: "GET",
    path: "/api/sessions/:id/messages",
    summary: "The conversation, oldest message first, in pages",
    query: MessagesQuery,
    status: 200,
    answer: MessagePage,
  },
  ...windowRoutes,
  streamEvents: {
    method: "GET",
    path: "/api/sessions/:id/stream",
    summary: "Follow a session from a cursor (server-sent events)",
    query: StreamQuery,
    status: 200,
    answer: Event,
    traits: ["stream"],
  },
  answerPermission: {
    method: "POST",
    path: "/api/sessions/:id/permissions/:request_id",
    summary: "Answer a permission request",
    body: PermissionAnswer,
    status: 200,
    answer: Permission,
  },
  ...lineRoutes,
  ...checkpointRoutes,
  ...workspaceRoutes,
  ...directoryRoutes,
  ...damageRoutes,
  ...runRoutes,
  ...shellRoutes,
  ...taskRoutes,
  ...streamRoutes,
  ...findRoutes,
  ...webhookRoutes,
  ...agreementRoutes,
  listAgents: {
    method: "GET",
    path: "/api/agents",
    summary: "Agents known here and what each can do",
    query: AgentsQuery,
    status: 200,
    answer: AgentPage,
  },
  listExecutors: {
    method: "GET",
    path: "/api/executors",
    summary: "Executions that run or ran last",
    status: 200,
    answer: ExecutorPage,
  },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;
