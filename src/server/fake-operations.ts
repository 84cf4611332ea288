/** A house of one room, for tests of the server: sessions that only exist, and events that a test adds. */
import { EventEmitter, once } from "node:events";
import { Readable } from "node:stream";
import { checkpointId } from "../contract/checkpoint.ts";
import type { Event } from "../contract/event.ts";
import { PermissionId, PromptId, SessionId, TaskId } from "../contract/id.ts";
import type { Permission } from "../contract/permission.ts";
import { RepriseError } from "../contract/problem.ts";
import type { Prompt } from "../contract/prompt.ts";
import type { Session, SessionStatus } from "../contract/session.ts";
import type { Task } from "../contract/task.ts";
import { sessionSample } from "../contract/testing.ts";
import { ulid } from "../kit/data/ulid.ts";
import type { Operations } from "./ask/operations.ts";

const noChanges = { changes: [], truncated: false };
const AT = "2026-01-02T03:04:05.000Z";
const BATCH = 100;

export interface FakeHouse {
  operations: Operations;
  /** The operations that were called, by name; reading events and sessions does not count. */
  done: string[];
  /** The idempotency keys that came with them. */
  keys: (string | undefined)[];
  addSession(task?: TaskId): Session;
  addTask(): Task;
  /** Adds `n` notices to a session's journal. */
  addEvents(session: SessionId, n: number, text?: string): Event[];
  /** Shows the session as it was before its newest event, which is stored already. */
  hideNewest(session: SessionId): void;
  /** How many batches were fetched, and how many feeds are open. */
  readonly fetched: number;
  readonly openFeeds: number;
  /** Resolves when no feed is open. */
  allFeedsClosed(): Promise<void>;
}

export const createFakeHouse = (): FakeHouse => {
  const journals = new Map<SessionId, Event[]>();
  const sessions = new Map<SessionId, Session>();
  const tasks = new Map<TaskId, Task>();
  const changes = new EventEmitter().setMaxListeners(0);
  const done: string[] = [];
  const keys: (string | undefined)[] = [];
  const feeds = { open: 0, fetched: 0 };

  const find = (id: SessionId): Session => {
    const session = sessions.get(id);
    if (session !== undefined) return session;
    throw new RepriseError("session_not_found", `There is no session ${id}.`);
  };
  const act = async (
    name: string,
    id: SessionId,
    key?: string,
  ): Promise<Session> => {
    const session = find(id);
    done.push(name);
    if (key !== undefined) keys.push(key);
    return session;
  };
  const actOnPrompt = async (
    name: string,
    id: SessionId,
    prompt: PromptId,
    key?: string,
  ): Promise<Prompt> => {
    await act(name, id, key);
    return promptOf(id, prompt, "hello");
  };

  async function* follow(
    id: SessionId,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<readonly Event[]> {
    feeds.open += 1;
    try {
      for (let seen = after; !signal.aborted;) {
        const journal = journals.get(id) ?? [];
        const batch = journal.slice(seen, seen + BATCH);
        seen += batch.length;
        feeds.fetched += 1;
        if (batch.length > 0) yield batch;
        else await once(changes, id, { signal });
      }
    } finally {
      feeds.open -= 1;
      changes.emit("feed closed");
    }
  }

  const addSession = (task?: TaskId): Session => {
    const session = sessionOf(task ?? null);
    sessions.set(session.id, session);
    journals.set(session.id, []);
    return session;
  };
  const addTask = (): Task => {
    const task = taskOf("a task");
    tasks.set(task.id, task);
    return task;
  };

  return {
    done,
    keys,
    addSession,
    addTask,
    addEvents(id, n, text = "and more") {
      const journal = journals.get(id) ?? [];
      const added = Array.from({ length: n }, (_, i) =>
        notice(id, find(id).task_id, journal.length + i + 1, text),
      );
      journal.push(...added);
      sessions.set(id, { ...find(id), last_seq: journal.length });
      changes.emit(id);
      return added;
    },
    hideNewest(id) {
      const session = find(id);
      sessions.set(id, { ...session, last_seq: session.last_seq - 1 });
    },
    get fetched() {
      return feeds.fetched;
    },
    get openFeeds() {
      return feeds.open;
    },
    async allFeedsClosed() {
      while (feeds.open > 0) await once(changes, "feed closed");
    },
    operations: {
      async createSession(request, key) {
        done.push("createSession");
        keys.push(key);
        return addSession(request.task_id);
      },
      async listSessions({ task_id, limit }) {
        const found = [...sessions.values()].filter(
          (session) => task_id === undefined || session.task_id === task_id,
        );
        return { sessions: found.slice(0, limit), next: null };
      },
      showSession: async (id) => find(id),
      requireHeard: async () => undefined,
      journalEnd: async (id) => journals.get(id)?.length ?? 0,
      sessionStatus: async (id) => statusOf(find(id)),
      async queuePrompt(id, request, key) {
        await act("queuePrompt", id);
        keys.push(key);
        return promptOf(id, newPromptId(), request.text ?? "");
      },
      showPrompt: (id, prompt) => actOnPrompt("showPrompt", id, prompt),
      cancelPrompt: (id, prompt) => actOnPrompt("cancelPrompt", id, prompt),
      resolvePrompt: (id, prompt, _, key) =>
        actOnPrompt("resolvePrompt", id, prompt, key),
      resumeSession: (id, _, key) => act("resumeSession", id, key),
      pauseSession: (id, key) => act("pauseSession", id, key),
      endSession: (id, _, key) => act("endSession", id, key),
      cancelTurn: (id, key) => act("cancelTurn", id, key),
      recoverSession: (id, key) => act("recoverSession", id, key),
      async answerPermission(
        id,
        permission,
        option_id,
        key,
      ): Promise<Permission> {
        await act("answerPermission", id, key);
        const asked = { turn: 1, title: "Write", tool_kind: null, options: [] };
        return { id: permission, ...asked, state: "answered", option_id };
      },
      async listEvents(id, after, limit) {
        find(id);
        return (journals.get(id) ?? []).slice(after, after + limit);
      },
      async listMessages(id) {
        find(id);
        return { messages: [], next: null };
      },
      follow,
      async createTask({ title }, key) {
        done.push("createTask");
        keys.push(key);
        const task = taskOf(title);
        tasks.set(task.id, task);
        return task;
      },
      listTasks: async () => ({ tasks: [...tasks.values()], next: null }),
      async showTask(id) {
        const task = tasks.get(id);
        if (task !== undefined) return task;
        throw new RepriseError("task_not_found", `There is no task ${id}.`);
      },
      listCheckpoints: async (id) => {
        find(id);
        return [];
      },
      showDiff: async (id) => {
        find(id);
        return { from: null, to: "now", ...noChanges, text: null };
      },
      rewindSession: async (id, { turn = 0 }, key) => ({
        turn,
        checkpoint: checkpointId(1),
        ...noChanges,
        conflicts: [],
        conversation: "fresh",
        session: await act("rewindSession", id, key),
      }),
      forkSession: (id, _, key) => act("forkSession", id, key),
      handOffSession: (id, _, key) => act("handOffSession", id, key),
      deleteSession: (id) => act("deleteSession", id),
      undeleteSession: (id, key) => act("undeleteSession", id, key),
      exportSession: async (id) => {
        await act("exportSession", id);
        return {
          bytes: 4,
          content: Readable.from([Buffer.from("file")]),
        };
      },
      async importSession(content, _, key) {
        if (key !== undefined) keys.push(key);
        for await (const piece of content)
          done.push(`importSession ${Buffer.from(piece).toString()}`);
        return addSession();
      },
      async collectGarbage({ dry_run }, key) {
        if (key !== undefined) keys.push(key);
        done.push("collectGarbage");
        const fated = { ended: [], deleted: [], purged: [] };
        return { dry_run, ...fated, freed_bytes: 0, kept_bytes: 0 };
      },
      showDiskUse: async () => ({ sessions: [], total_bytes: 0 }),
      showDamage: async () => ({ database: [], sessions: [] }),
      listAgents: async () => [],
      listExecutors: async () => [],
    },
  };
};

/** Instead of `follow`: breaks as soon as it is read. */
export async function* brokenFeed(): AsyncGenerator<readonly Event[]> {
  yield [];
  throw new Error("the secret of the house");
}

export const newPromptId = (): PromptId =>
  PromptId.parse(`prm_${ulid(Date.now())}`);
export const aPermissionId = PermissionId.parse("per_1_2048");

const promptOf = (
  session_id: SessionId,
  id: PromptId,
  text: string,
): Prompt => ({ id, session_id, turn: null, state: "queued", text });

const taskOf = (title: string): Task => ({
  id: TaskId.parse(`tsk_${ulid(Date.now())}`),
  title,
  description: "",
  state: "CREATED",
  session_ids: [],
  created_at: AT,
  updated_at: AT,
});

const notice = (
  session_id: SessionId,
  task_id: TaskId | null,
  seq: number,
  text: string,
): Event => ({
  type: "session.notice",
  seq,
  at: AT,
  session_id,
  task_id,
  data: { level: "info", code: "test", text: `line ${seq}\n${text}` },
});

const sessionOf = (task_id: TaskId | null): Session =>
  sessionSample(SessionId.parse(`ses_${ulid(Date.now())}`), {
    task_id,
    is_agent_running: true,
    created_at: AT,
    last_active_at: AT,
  });

const statusOf = (session: Session): SessionStatus => ({
  session_id: session.id,
  task_id: session.task_id,
  state: session.state,
  agent_profile_id: session.agent,
  executor_status: "ready",
  agent_execution_id: null,
  runtime: "standalone",
  is_agent_running: true,
  is_resumable: true,
  needs_resume: false,
  resume_reason: null,
  requires_new_session: false,
  checked_at: null,
  worktree_path: null,
  worktree_branch: null,
  troubles: [],
  error_message: null,
  usage: null,
  context: null,
});
