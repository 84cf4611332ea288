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
import { ProfileView } from "../agent/profile-view.ts";
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
import { endpoint, type RouteName } from "./route-table.ts";
import { findRoutes } from "./find-route.ts";
import { raceRoutes } from "./race-route.ts";
import { ExecutorPlace } from "../session/executor-place.ts";
import { lineRoutes } from "./line-route.ts";
import { shellRoutes } from "./shell/shell-route.ts";
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
export const ExecutorPage = z.object({
  executors: z.array(Executor),
  next,
  /** Where agents can run. Older servers do not tell. */
  places: z.array(ExecutorPlace).default([]),
});
export const AgentPage = z.object({
  agents: z.array(AgentView),
  next,
  /** Those of `config.json`. Older servers had none. */
  profiles: z.array(ProfileView).optional(),
});

interface Route {
  method: string;
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
    ...endpoint("health"),
    summary: "Is the server up",
    answer: Health,
    traits: ["open"],
  },
  createSession: {
    ...endpoint("createSession"),
    summary: "Start a session",
    body: CreateSessionRequest,
    answer: Session,
  },
  listSessions: {
    ...endpoint("listSessions"),
    summary:
      "List sessions, the most recently active or the most recently asked for first",
    query: SessionsQuery,
    answer: SessionPage,
  },
  showSession: {
    ...endpoint("showSession"),
    summary: "Show a session",
    answer: Session,
  },
  changeSession: {
    ...endpoint("changeSession"),
    summary:
      "Change a session and the settings of its agent, also while that runs",
    body: ChangeSessionRequest,
    answer: Session,
  },
  sessionStatus: {
    ...endpoint("sessionStatus"),
    summary: "Whether a session can be resumed, must be, and why",
    answer: SessionStatus,
  },
  queuePrompt: {
    ...endpoint("queuePrompt"),
    summary: "Give a session a prompt; answered once it is durable",
    body: PromptRequest,
    answer: Prompt,
  },
  showPrompt: {
    ...endpoint("showPrompt"),
    summary: "Look up a prompt",
    answer: Prompt,
  },
  cancelPrompt: {
    ...endpoint("cancelPrompt"),
    summary: "Cancel a prompt that still waits",
    answer: Prompt,
  },
  resolvePrompt: {
    ...endpoint("resolvePrompt"),
    summary: "Decide about an interrupted or uncertain prompt",
    body: ResolveRequest,
    answer: Prompt,
  },
  resumeSession: {
    ...endpoint("resumeSession"),
    summary: "Bring the agent back, with changes to what it was asked for",
    body: ResumeRequest,
    answer: Session,
  },
  pauseSession: {
    ...endpoint("pauseSession"),
    summary: "Stop the agent, keep the session",
    body: EmptyRequest,
    answer: Session,
  },
  endSession: {
    ...endpoint("endSession"),
    summary: "End a session for good",
    body: EndRequest,
    answer: Session,
  },
  cancelTurn: {
    ...endpoint("cancelTurn"),
    summary: "Cancel the turn in progress",
    body: EmptyRequest,
    answer: Session,
  },
  recoverSession: {
    ...endpoint("recoverSession"),
    summary: "Unstick a session: compare it with the world and repair it",
    body: EmptyRequest,
    answer: Session,
  },
  listEvents: {
    ...endpoint("listEvents"),
    summary: "Events after a cursor",
    query: EventsQuery,
    answer: EventPage,
  },
  listMessages: {
    ...endpoint("listMessages"),
    summary: "The conversation, oldest message first, in pages",
    query: MessagesQuery,
    answer: MessagePage,
  },
  ...windowRoutes,
  streamEvents: {
    ...endpoint("streamEvents"),
    summary: "Follow a session from a cursor (server-sent events)",
    query: StreamQuery,
    answer: Event,
    traits: ["stream"],
  },
  answerPermission: {
    ...endpoint("answerPermission"),
    summary: "Answer a permission request",
    body: PermissionAnswer,
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
  ...raceRoutes,
  listAgents: {
    ...endpoint("listAgents"),
    summary: "Agents known here and what each can do",
    query: AgentsQuery,
    answer: AgentPage,
  },
  listExecutors: {
    ...endpoint("listExecutors"),
    summary: "Executions that run or ran last",
    answer: ExecutorPage,
  },
} as const satisfies Record<RouteName, Route>;

export type { RouteName };
