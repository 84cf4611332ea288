import * as z from "zod";
import { AgentView } from "../../contract/agent/agent.ts";
import { Agreement } from "../../contract/api/agreement-route.ts";
import { Diff } from "../../contract/session/checkpoint.ts";
import {
  CheckpointPage,
  Collected,
  DiskUse,
  PurgedSession,
  Rewound,
} from "../../contract/api/checkpoint-route.ts";
import { ShellPage } from "../../contract/api/shell/shell-route.ts";
import { Damage } from "../../contract/api/damage-route.ts";
import { Event, eventSchemas } from "../../contract/event/event.ts";
import { LineAnswer } from "../../contract/session/line.ts";
import { Message } from "../../contract/session/message.ts";
import { Shell } from "../../contract/session/shell.ts";
import { Permission } from "../../contract/agent/permission.ts";
import { Problem } from "../../contract/problem/problem.ts";
import { Prompt } from "../../contract/session/prompt.ts";
import { Resume } from "../../contract/agent/resume.ts";
import {
  AgentPage,
  EventPage,
  ExecutorPage,
  Health,
  MessagePage,
  SessionPage,
} from "../../contract/api/route.ts";
import {
  DirectoryPage,
  WrittenFile,
} from "../../contract/session/workspace-file.ts";
import { Directories } from "../../contract/session/directories.ts";
import {
  GitBranches,
  GitDiff,
  GitLog,
  GitStatus,
} from "../../contract/session/git-look.ts";
import { SearchResult } from "../../contract/session/search.ts";
import { Race, RacePage } from "../../contract/api/race-route.ts";
import { PromptPage } from "../../contract/api/find-route.ts";
import {
  EndedProcess,
  ExecResult,
  ProcessPage,
} from "../../contract/api/run-route.ts";
import { HomeChange } from "../../contract/api/stream-route.ts";
import { ConversationWindow } from "../../contract/api/window-route.ts";
import {
  AttemptPage,
  PurgedTask,
  TaskEventPage,
  TaskPage,
} from "../../contract/api/task-route.ts";
import {
  DeliveryPage,
  DeliveryView,
  WebhookPage,
  WebhookTest,
  WebhookView,
} from "../../contract/api/webhook-route.ts";
import {
  Executor,
  Session,
  SessionStatus,
} from "../../contract/session/session.ts";
import {
  taskEventSchemas,
  TaskEventView,
} from "../../contract/task/task-event.ts";
import { Attempt, Task } from "../../contract/task/task.ts";

export type Json = Record<string, unknown>;

/** The contract's nouns under their own names, so that the document says "Session" once. */
const named = {
  AgentPage,
  AgentView,
  Agreement,
  Attempt,
  AttemptPage,
  CheckpointPage,
  Collected,
  ConversationWindow,
  Damage,
  Delivery: DeliveryView,
  DeliveryPage,
  Diff,
  Directories,
  DirectoryPage,
  DiskUse,
  EndedProcess,
  Event,
  EventPage,
  ExecResult,
  Executor,
  ExecutorPage,
  GitBranches,
  GitDiff,
  GitLog,
  GitStatus,
  Health,
  HomeChange,
  Line: LineAnswer,
  Message,
  MessagePage,
  Permission,
  Problem,
  ProcessPage,
  Prompt,
  PromptPage,
  Resume,
  PurgedSession,
  PurgedTask,
  Race,
  RacePage,
  Rewound,
  SearchResult,
  Session,
  SessionPage,
  SessionStatus,
  Shell,
  ShellPage,
  Task,
  TaskEvent: TaskEventView,
  TaskEventPage,
  TaskPage,
  Webhook: WebhookView,
  WebhookPage,
  WebhookTest,
  WrittenFile,
};

/** Each type of event with its data. */
const events = Object.fromEntries(
  Object.entries(eventSchemas).map(([type, data]) => [
    `Event.${type}`,
    z.object({ ...Event.shape, type: z.literal(type), data }),
  ]),
);
const taskEvents = Object.fromEntries(
  Object.entries(taskEventSchemas).map(([type, data]) => [
    `TaskEvent.${type}`,
    z.object({ ...TaskEventView.shape, type: z.literal(type), data }),
  ]),
);

const registry = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries({
  ...named,
  ...events,
  ...taskEvents,
}))
  registry.add(schema, { id });

const address = (id: string): string => `#/components/schemas/${id}`;

export const refTo = (schema: z.ZodType): { $ref: string } => {
  const id = registry.get(schema)?.id;
  if (id === undefined)
    throw new Error("an answer has no name in the document");
  return { $ref: address(id) };
};

export const schemas = (): Record<string, Json> => {
  // Objects stay open (io "input"): fields may be added to answers, and clients must not mind.
  const all = z.toJSONSchema(registry, { uri: address, io: "input" }).schemas;
  const plain: Record<string, Json> = {};
  for (const [id, schema] of Object.entries(all)) plain[id] = bare(schema);
  return { ...plain, Event: anyEvent };
};

const anyEvent = {
  description: "One of these; types may be added.",
  anyOf: Object.keys(events).map((id) => ({ $ref: address(id) })),
};

/** Without what only stands in documents of their own. */
export const bare = (schema: Json): Json =>
  Object.fromEntries(
    Object.entries(schema).filter(
      ([key]) => key !== "$schema" && key !== "$id",
    ),
  );
