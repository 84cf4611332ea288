import type {
  ContextInput,
  RetryTaskRequest,
  RunTaskRequest,
} from "../../contract/api/task-request.ts";
import type { Attempt, Task } from "../../contract/task/task.ts";
import type { TaskEvent } from "../../contract/task/task-event.ts";
import type { Client, FollowOptions } from "../client.ts";
import { patiently } from "../patiently.ts";
import type { Keyed } from "./session.ts";

/** A handle for a task. It holds the id and nothing else: every call asks the server. */
export class TaskHandle {
  readonly id: string;
  readonly #client: Client;

  constructor(client: Client, id: string) {
    this.#client = client;
    this.id = id;
  }

  /** The task as it is now: its state, its contexts and its sessions. */
  show(): Promise<Task> {
    return this.#client.showTask(this.id);
  }

  /** Every attempt so far, the first one first: how it ended, why, and which files it changed. */
  async attempts(): Promise<Attempt[]> {
    return (await this.#client.listAttempts(this.id)).attempts;
  }

  /** Makes the first attempt. */
  run({
    key,
    ...who
  }: Keyed & Omit<RunTaskRequest, "caller_env"> = {}): Promise<Task> {
    return this.#client.runTask(this.id, { key, ...who });
  }

  /** Makes another attempt. It goes on in the session of the last one where that is possible; `mode` chooses. */
  retry({
    key,
    ...how
  }: Keyed & Omit<RetryTaskRequest, "caller_env"> = {}): Promise<Task> {
    return this.#client.retryTask(this.id, { key, ...how });
  }

  /** Adds to what the task asks for. The agent is told what is new, at once or with a new attempt. */
  addContext(
    added: string | Omit<ContextInput, "caller_env">,
    { key }: Keyed = {},
  ): Promise<Task> {
    const body = typeof added === "string" ? { text: added } : added;
    return this.#client.addContext(this.id, { key, ...body });
  }

  /** Closes the task as done, and ends its sessions. */
  done({ key }: Keyed = {}): Promise<Task> {
    return this.#client.finishTask(this.id, { key });
  }

  /** Gives the task up: stops an attempt that is under way, and cancels its sessions. */
  cancel({ key }: Keyed = {}): Promise<Task> {
    return this.#client.cancelTask(this.id, { key });
  }

  /** Every event after `after`, then each new one as it happens, until `signal`. It reconnects by itself. */
  events(options?: FollowOptions): AsyncIterable<TaskEvent> {
    return this.#client.followTask(this.id, options);
  }

  /** Waits until no attempt is under way and no retry is to come, and gives the task as it is then. */
  async result({ signal }: { signal?: AbortSignal } = {}): Promise<Task> {
    const show = () => patiently(signal, () => this.show());
    const options = signal === undefined ? {} : { signal };
    let task = await show();
    while (task.state === "IN_PROGRESS") {
      const after = task.last_seq;
      for await (const event of this.events({ ...options, after }))
        if (event.type === "task.state_changed") break;
      task = await show();
    }
    return task;
  }
}
