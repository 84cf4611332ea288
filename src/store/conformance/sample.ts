/** Things to store. Every one is complete, as the runtime would give it. */
import type { Event } from "../../contract/event.ts";
import {
  ExecutionId,
  messageId,
  PromptId,
  SessionId,
  TaskId,
} from "../../contract/id.ts";
import type { Executor, Session } from "../../contract/session.ts";
import { sessionSample } from "../../contract/testing.ts";
import type { Append, Receipt, TaskRecord } from "../../runtime/ports.ts";

const numbered = (n: number): string => String(n).padStart(26, "0");
export const sessionId = (n: number) => SessionId.parse(`ses_${numbered(n)}`);
export const taskId = (n: number) => TaskId.parse(`tsk_${numbered(n)}`);
export const promptId = (n: number) => PromptId.parse(`prm_${numbered(n)}`);
export const executionId = (n: number) =>
  ExecutionId.parse(`exe_${numbered(n)}`);

/** The n-th second of a day. */
export const at = (n: number): string =>
  new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();

export const said = (
  session_id: SessionId,
  seq: number,
  text = `words ${seq}`,
): Event => ({
  seq,
  type: "session.message.updated",
  at: at(seq),
  session_id,
  task_id: null,
  data: { id: messageId(1), append: text },
  origin: { epoch: 1, from: seq * 10, to: seq * 10 + 10 },
});

export const sessionView = (
  id: SessionId,
  more: Partial<Session> = {},
): Session =>
  sessionSample(id, { created_at: at(0), last_active_at: at(0), ...more });

export const executorRow = (
  session: SessionId,
  more: Partial<Executor> = {},
): Executor => ({
  id: executionId(1),
  session_id: session,
  task_id: null,
  runtime: "standalone",
  agentctl_url: "unix:/run/agentctl.sock",
  agentctl_port: null,
  container_id: null,
  pid: 42,
  status: "ready",
  supports_session_resume: true,
  supports_workspace_only: false,
  resume_token: null,
  last_message_id: null,
  workspace_path: "/work",
  worktree_id: null,
  worktree_path: null,
  worktree_branch: null,
  agent_execution_id: executionId(1),
  last_seen_at: at(0),
  error_message: null,
  epoch: 1,
  ...more,
});

/** `count` events behind `after`, and nothing else but what `more` says. */
export const append = (
  term: number,
  id: SessionId,
  after: number,
  count = 1,
  more: Partial<Append> = {},
): Append => ({
  term,
  session_id: id,
  after,
  events: Array.from({ length: count }, (_, i) => said(id, after + 1 + i)),
  view: sessionView(id, { last_seq: after + count }),
  executor: null,
  prompts: [],
  snapshot: null,
  receipt: null,
  env: null,
  ...more,
});

export const receiptOf = (key: string, scope = "sessions"): Receipt => ({
  scope,
  key,
  request: "0".repeat(64),
  answer: `{"key":"${key}"}`,
});

export const taskRecord = (n: number, created = n): TaskRecord => ({
  id: taskId(n),
  title: `Task ${n}`,
  description: "Überprüfe 日本 🙂",
  created_at: at(created),
});
