import type {
  ContextInput,
  RetryTaskRequest,
} from "../../contract/api/task-request.ts";
import type { Attempt, Task } from "../../contract/task/task.ts";
import type { TaskEvent } from "../../contract/task/task-event.ts";
import type { Client, FollowOptions } from "../client.ts";
import { patiently } from "../patiently.ts";
import type { Keyed } from "./session.ts";

/** A task by its id. It keeps nothing else. */
export class TaskHandle {
  readonly id: string;
  readonly #client: Client;

  constructor(client: Client, id: string) {
    this.#client = client;
    this.id = id;
  }

  show(): Promise<Task> {
    return this.#client.showTask(this.id);
  }

  async attempts(): Promise<Attempt[]> {
    return (await this.#client.listAttempts(this.id)).attempts;
  }

  /** Makes the first attempt. */
  run({ key, agent }: Keyed & { agent?: string } = {}): Promise<Task> {
    return this.#client.runTask(this.id, { key, ...(agent && { agent }) });
  }

  /** Makes another attempt: goes on with the last one, or starts over. */
  retry({
    key,
    ...how
  }: Keyed & Omit<RetryTaskRequest, "caller_env"> = {}): Promise<Task> {
    return this.#client.retryTask(this.id, { key, ...how });
  }

  /** Adds to what is asked for. The agent is told what is new. */
  addContext(
    added: string | Omit<ContextInput, "caller_env">,
    { key }: Keyed = {},
  ): Promise<Task> {
    const body = typeof added === "string" ? { text: added } : added;
    return this.#client.addContext(this.id, { key, ...body });
  }

  done({ key }: Keyed = {}): Promise<Task> {
    return this.#client.finishTask(this.id, { key });
  }

  cancel({ key }: Keyed = {}): Promise<Task> {
    return this.#client.cancelTask(this.id, { key });
  }

  /** Every event after a cursor, without end. */
  events(options?: FollowOptions): AsyncIterable<TaskEvent> {
    return this.#client.followTask(this.id, options);
  }

  /** Waits until nobody works on it and no retry is to come. */
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
