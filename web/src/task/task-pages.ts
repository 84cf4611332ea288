/** All tasks: pages that were read here, kept up to date by the lists of the page, which follow the home. */
import type { Client } from "../../../src/client/client.ts";
import type { Task } from "../../../src/contract/task/task.ts";
import type { Readable } from "../store/readable.ts";
import type { SessionsView } from "../store/sessions.ts";
import { Value } from "../store/value.ts";

export interface TaskPagesView {
  tasks: readonly Task[];
  /** False until the first page was read. */
  isLoaded: boolean;
  hasMore: boolean;
  /** Why a page could not be read. */
  failure: unknown;
}

const PAGE = 100;

export class TaskPages implements Readable<TaskPagesView> {
  readonly #client: Pick<Client, "listTasks">;
  readonly #lists: Readable<SessionsView>;
  readonly #tasks = new Map<string, Task>();
  readonly #view = new Value<TaskPagesView>({
    tasks: [],
    isLoaded: false,
    hasMore: false,
    failure: null,
  });
  #next: string | null = null;
  #loading: Promise<void> | null = null;

  constructor(
    client: Pick<Client, "listTasks">,
    lists: Readable<SessionsView>,
  ) {
    this.#client = client;
    this.#lists = lists;
  }

  get(): TaskPagesView {
    return this.#view.get();
  }

  subscribe(changed: () => void): () => void {
    return this.#view.subscribe(changed);
  }

  /** Follows the lists of the page until the returned function is called. */
  open(): () => void {
    const end = this.#lists.subscribe(() => this.#takeLists());
    this.#takeLists();
    return end;
  }

  /** The first page, or the next one. One request at a time. */
  load(): Promise<void> {
    this.#loading ??= this.#read().finally(() => {
      this.#loading = null;
    });
    return this.#loading;
  }

  /** All pages: for a search. */
  async loadAll(): Promise<void> {
    do await this.load();
    while (this.#next !== null && this.get().failure === null);
  }

  async #read(): Promise<void> {
    const { isLoaded } = this.get();
    if (isLoaded && this.#next === null) return;
    try {
      const page = await this.#client.listTasks({
        limit: PAGE,
        ...(this.#next !== null && { after: this.#next }),
      });
      for (const task of page.tasks) this.#put(task);
      this.#next = page.next;
      this.#show({ isLoaded: true, failure: null });
    } catch (failure) {
      this.#show({ failure });
    }
  }

  #takeLists(): void {
    for (const task of this.#lists.get().tasks) this.#put(task);
    this.#show({});
  }

  #put(task: Task): void {
    const known = this.#tasks.get(task.id);
    if (known === undefined || known.last_seq <= task.last_seq)
      this.#tasks.set(task.id, task);
  }

  #show(more: Partial<TaskPagesView>): void {
    this.#view.set({
      ...this.get(),
      ...more,
      tasks: [...this.#tasks.values()],
      hasMore: this.#next !== null,
    });
  }
}
