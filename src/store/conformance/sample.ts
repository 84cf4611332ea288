/** Things to store. Every one is complete, as the runtime would give it. */
import { checkpointId } from "../../contract/checkpoint.ts";
import type { Event, EventOf } from "../../contract/event.ts";
import {
  ExecutionId,
  messageId,
  type PermissionId,
  PromptId,
  SessionId,
  TaskId,
} from "../../contract/id.ts";
import { LOCAL, placeKey } from "../../contract/place.ts";
import type { Executor, Session } from "../../contract/session.ts";
import { sessionSample } from "../../contract/testing.ts";
import type {
  Append,
  PlaceTerm,
  Receipt,
  TaskRecord,
} from "../../runtime/ports/store.ts";

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

/** A message begins, perhaps as what follows on another. */
export const begun = (
  session_id: SessionId,
  seq: number,
  continues: number | null = null,
): Event => ({
  seq,
  type: "session.message.added",
  at: at(seq),
  session_id,
  task_id: null,
  data: {
    message: {
      id: messageId(seq),
      turn: 1,
      role: "agent",
      text: "é",
      at: at(seq),
      ...(continues === null ? {} : { continues: messageId(continues) }),
    },
  },
});

/** A prompt is admitted. */
export const queued = (
  session_id: SessionId,
  seq: number,
  prompt_id: PromptId,
  text: string,
): Event => ({
  seq,
  type: "session.prompt.queued",
  at: at(seq),
  session_id,
  task_id: null,
  data: { prompt_id, content: [{ type: "text", text }], text },
});

/** The agent asks. */
export const asked = (
  session_id: SessionId,
  seq: number,
  id: PermissionId,
): Event => ({
  seq,
  type: "session.permission.requested",
  at: at(seq),
  session_id,
  task_id: null,
  data: {
    permission: {
      id,
      turn: 1,
      title: "May I?",
      tool_kind: null,
      options: [{ id: "yes", name: "Yes", kind: "allow_once" }],
      state: "pending",
    },
  },
});

/** What a turn left is captured. */
export const captured = (
  session_id: SessionId,
  seq: number,
): EventOf<"session.checkpoint.saved"> => ({
  type: "session.checkpoint.saved",
  seq,
  at: at(seq),
  session_id,
  task_id: null,
  data: {
    checkpoint: {
      id: checkpointId(seq),
      turn: seq,
      kind: "turn",
      outcome: "saved",
      reason: null,
      tree: seq.toString(16).padStart(64, "0"),
      agent_state: null,
      files: 1,
      bytes: 1,
      new_bytes: 1,
      took_ms: 1,
      unstable: [],
      unreadable: [],
      left_out: [],
      shared: false,
      seq,
      token: null,
      cwd: "/work",
      at: at(seq),
    },
  },
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

/** What belongs to this machine is written by this term. */
export const placeTerm = (term: number): PlaceTerm => ({
  key: placeKey(LOCAL),
  term,
});

/** `count` events behind `after`, and nothing else but what `more` says. */
export const append = (
  term: number,
  id: SessionId,
  after: number,
  count = 1,
  more: Partial<Append> = {},
): Append => ({
  place: placeTerm(term),
  session_id: id,
  after,
  events: Array.from({ length: count }, (_, i) => said(id, after + 1 + i)),
  view: sessionView(id, { last_seq: after + count }),
  executor: null,
  attention: null,
  prompts: [],
  permissions: [],
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
