/** One task with its attempts and its journal, read again when the lists of the page tell that it went on. */
import type { Client } from "../../../../src/client/client.ts";
import { RepriseError } from "../../../../src/contract/problem/problem.ts";
import type { TaskEvent } from "../../../../src/contract/task/task-event.ts";
import type { Attempt, Task } from "../../../../src/contract/task/task.ts";
import type { Readable } from "../../store/readable.ts";
import type { SessionsView } from "../../store/sessions.ts";
import { Value } from "../../store/value.ts";

export type OpenTaskView =
  | { kind: "opening" }
  | { kind: "missing" }
  | { kind: "failed"; error: unknown }
  | {
      kind: "open";
      task: Task;
      attempts: readonly Attempt[];
      events: readonly TaskEvent[];
    };

type TaskClient = Pick<Client, "showTask" | "listAttempts" | "listTaskEvents">;

export class OpenTask implements Readable<OpenTaskView> {
  readonly #client: TaskClient;
  readonly #lists: Readable<SessionsView>;
  readonly #id: string;
  readonly #view = new Value<OpenTaskView>({ kind: "opening" });
  readonly #events: TaskEvent[] = [];
  #reading: Promise<void> | null = null;
  #isStale = false;

  constructor(client: TaskClient, lists: Readable<SessionsView>, id: string) {
    this.#client = client;
    this.#lists = lists;
    this.#id = id;
  }

  get(): OpenTaskView {
    return this.#view.get();
  }

  subscribe(changed: () => void): () => void {
    return this.#view.subscribe(changed);
  }

  /** Reads it, once more after the reading that is under way. */
  read(): Promise<void> {
    this.#isStale = true;
    this.#reading ??= this.#readWhileStale().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /** Reads it, and again whenever it changes, until the returned function is called. */
  open(): () => void {
    const end = this.#lists.subscribe(() => this.#followLists());
    void this.read();
    return end;
  }

  async #readWhileStale(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      try {
        await this.#readOnce();
      } catch (error) {
        this.#fail(error);
      }
    }
  }

  async #readOnce(): Promise<void> {
    const id = this.#id;
    const [task, { attempts }] = await Promise.all([
      this.#client.showTask(id),
      this.#client.listAttempts(id),
    ]);
    await this.#readEvents();
    this.#view.set({
      kind: "open",
      task,
      attempts,
      events: [...this.#events],
    });
  }

  /** The journal goes on behind what is known of it. */
  async #readEvents(): Promise<void> {
    for (;;) {
      const after = this.#events.at(-1)?.seq ?? 0;
      const page = await this.#client.listTaskEvents(this.#id, { after });
      this.#events.push(...page.events.filter(({ seq }) => seq > after));
      if (page.next === null || page.events.length === 0) return;
    }
  }

  /** What was read stays in sight; the next change of the task is another chance. */
  #fail(error: unknown): void {
    if (this.get().kind === "open") return;
    this.#view.set(
      isMissing(error) ? { kind: "missing" } : { kind: "failed", error },
    );
  }

  #followLists(): void {
    const listed = this.#lists.get().tasks.find(({ id }) => id === this.#id);
    if (listed === undefined) return;
    const view = this.get();
    if (view.kind !== "open" || view.task.last_seq < listed.last_seq)
      void this.read();
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof RepriseError &&
  (error.code === "task_not_found" || error.code === "not_found");
