/**
 * The SDK: sessions, turns, questions and tasks as objects that hold an id and no state. It is what `reprise/client` and
 * `reprise-client` export, with the plain client beside it.
 */
import type { CreateSessionInput } from "../../contract/api/request.ts";
import type {
  ApplyTaskInput,
  CreateTaskInput,
} from "../../contract/api/task-request.ts";
import type { Session } from "../../contract/session/session.ts";
import type { Task } from "../../contract/task/task.ts";
import { type Address, type Client, connect } from "../client.ts";
import { allSessions, pages, type SessionsFilter } from "../pages.ts";
import { type Question, questions } from "./questions.ts";
import { type Keyed, SessionHandle } from "./session.ts";
import { TaskHandle } from "./task.ts";

export * from "../client.ts";
export type { ChangedFile, TurnResult, TurnStatus, TurnWait } from "../turn.ts";
export { currentResult, turnResult } from "../turn.ts";
export type { Keyed, Question, SessionsFilter };
export { SessionHandle, TaskHandle };
export { Turn } from "./turn.ts";

export class Reprise {
  /** The plain client, with a method for each route of the server. */
  readonly client: Client;

  constructor(address: Address) {
    this.client = connect(address);
  }

  /** A handle for a session that exists. It makes no request: an unknown id is refused by the first call. */
  session(id: string): SessionHandle {
    return new SessionHandle(this.client, id);
  }

  readonly sessions = {
    /** Starts a session. Resolves when the server has recorded it; its agent may still be starting. */
    start: async (
      body: CreateSessionInput,
      { key }: Keyed = {},
    ): Promise<SessionHandle> => {
      const { id } = await this.client.createSession(body, { key });
      return this.session(id);
    },
    /** All sessions that match, the most recently active first. Pages are fetched as they are needed. */
    list: (query: SessionsFilter = {}): AsyncGenerator<Session> =>
      allSessions(this.client, { limit: 100, ...query }),
  };

  /** A handle for a task that exists. It makes no request. */
  task(id: string): TaskHandle {
    return new TaskHandle(this.client, id);
  }

  readonly tasks = {
    /** Creates a task. With `run: true` its first attempt begins at once. */
    create: async (
      body: CreateTaskInput,
      { key }: Keyed = {},
    ): Promise<TaskHandle> => {
      const { id } = await this.client.createTask(body, { key });
      return this.task(id);
    },
    /** Creates the task with this name, or changes it to match the description. The same again changes nothing. */
    apply: async (name: string, body: ApplyTaskInput): Promise<TaskHandle> => {
      const { id } = await this.client.applyTask(name, body);
      return this.task(id);
    },
    /** The task with this name; rejected where there is none. */
    named: async (name: string): Promise<TaskHandle> => {
      const { id } = await this.client.showTaskByName(name);
      return this.task(id);
    },
    /** All tasks, the newest first. Pages are fetched as they are needed. */
    list: (): AsyncGenerator<Task> =>
      pages(async (after) => {
        const page = await this.client.listTasks(after);
        return { items: page.tasks, next: page.next };
      }),
  };

  /** What agents ask, over all sessions, when they ask: each question once, those that wait already first. It goes on until the signal. */
  permissions({
    signal,
  }: { signal?: AbortSignal } = {}): AsyncGenerator<Question> {
    return questions(this.client, signal);
  }
}
