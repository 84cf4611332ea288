/** All sessions and tasks as lists show them: pages, kept up to date by the stream over the home. */
import type { Client, HomeChange } from "../../../src/client/client.ts";
import type { Session } from "../../../src/contract/session/session.ts";
import type { Task } from "../../../src/contract/task/task.ts";
import { directoriesOf, type Directory } from "./directories.ts";
import type { Readable } from "./readable.ts";
import type { Scheduler } from "./scheduler.ts";
import { Value } from "./value.ts";

export interface SessionsView {
  /** Newest activity first. Those in the trash are left out. */
  sessions: readonly Session[];
  byId: ReadonlyMap<string, Session>;
  /** The same by the directory they work in, newest activity first. */
  directories: readonly Directory[];
  tasks: readonly Task[];
  /** Ids of sessions and tasks that were removed for good while the page was there. */
  removed: ReadonlySet<string>;
  /** Older ones have not been read yet. */
  hasMore: boolean;
  /** False until the first page is there. */
  isLoaded: boolean;
}

/** What the stream is followed from, and what is there already. */
export interface FirstLists {
  sessions: { sessions: readonly Session[]; next: string | null };
  needs_you: { sessions: readonly Session[] };
  tasks: { tasks: readonly Task[]; next: string | null };
}

export interface SessionsOptions {
  client: Pick<Client, "listSessions" | "listTasks">;
  scheduler: Scheduler;
  onFailed(error: unknown): void;
}

const PAGE = 100;

const NOTHING: SessionsView = {
  sessions: [],
  byId: new Map(),
  directories: [],
  tasks: [],
  removed: new Set(),
  hasMore: false,
  isLoaded: false,
};

export class Sessions implements Readable<SessionsView> {
  readonly #options: SessionsOptions;
  readonly #view = new Value<SessionsView>(NOTHING);
  #sessions = new Map<string, Session>();
  #tasks = new Map<string, Task>();
  readonly #removed = new Set<string>();
  #next: string | null = null;
  #isLoaded = false;
  #cancelFrame: (() => void) | null = null;
  #loading: Promise<void> | null = null;
  /** Grows when everything is read again: pages that were asked for before do not count any more. */
  #generation = 0;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  get(): SessionsView {
    return this.#view.get();
  }

  subscribe(changed: () => void): () => void {
    return this.#view.subscribe(changed);
  }

  /** With the lists of the first view. */
  begin({ sessions, needs_you, tasks }: FirstLists): void {
    for (const session of [...sessions.sessions, ...needs_you.sessions])
      this.#put(session);
    for (const task of tasks.tasks) this.#tasks.set(task.id, task);
    this.#next = sessions.next;
    this.#isLoaded = true;
    this.#show();
  }

  /** Reads the lists, again where they were there. */
  async load(): Promise<void> {
    const { client } = this.#options;
    const generation = ++this.#generation;
    const [page, needsYou, tasks] = await Promise.all([
      client.listSessions({ limit: PAGE }),
      client.listSessions({ limit: PAGE, needs_you: true }),
      client.listTasks({}),
    ]);
    if (generation !== this.#generation) return;
    this.#sessions = new Map();
    this.#tasks = new Map();
    this.begin({ sessions: page, needs_you: needsYou, tasks });
  }

  /** One more page. */
  loadMore(): Promise<void> {
    this.#loading ??= this.#loadPage().finally(() => {
      this.#loading = null;
    });
    return this.#loading;
  }

  /** All pages: for a search. */
  async loadAll(): Promise<void> {
    while (this.#next !== null) {
      const { length } = this.get().sessions;
      await this.loadMore();
      if (this.get().sessions.length === length && this.#next !== null) return;
    }
  }

  /** A change of the home. Several are shown together, at the next frame. */
  take(change: HomeChange): void {
    switch (change.type) {
      case "session.changed":
        this.#put(change.session);
        break;
      case "session.removed":
        this.#sessions.delete(change.session_id);
        this.#removed.add(change.session_id);
        break;
      case "task.changed":
        this.#tasks.set(change.task.id, change.task);
        break;
      case "task.removed":
        this.#tasks.delete(change.task_id);
        this.#removed.add(change.task_id);
        break;
      case "stream.reset":
        this.load().catch((error: unknown) => this.#options.onFailed(error));
        return;
      case "stream.opened":
        return;
      default:
        // A later release tells of more.
        return;
    }
    this.#cancelFrame ??= this.#options.scheduler.frame(() => {
      this.#cancelFrame = null;
      this.#show();
    });
  }

  /** What an action answered with. */
  put(session: Session): void {
    this.#put(session);
    this.#show();
  }

  close(): void {
    this.#cancelFrame?.();
    this.#cancelFrame = null;
  }

  async #loadPage(): Promise<void> {
    const after = this.#next;
    if (after === null) return;
    const generation = this.#generation;
    const page = await this.#options.client.listSessions({
      limit: PAGE,
      after,
    });
    if (generation !== this.#generation) return;
    for (const session of page.sessions)
      // The stream may have told something newer meanwhile.
      if (!isNewer(this.#sessions.get(session.id), session)) this.#put(session);
    this.#next = page.next;
    this.#show();
  }

  #put(session: Session): void {
    if (isNewer(this.#sessions.get(session.id), session)) return;
    this.#sessions.set(session.id, session);
    // It was imported again.
    this.#removed.delete(session.id);
  }

  #show(): void {
    const sessions = [...this.#sessions.values()]
      .filter(({ deleted_at }) => deleted_at === null)
      .sort(byActivity);
    this.#view.set({
      sessions,
      byId: new Map(this.#sessions),
      directories: directoriesOf(sessions),
      tasks: [...this.#tasks.values()],
      removed: new Set(this.#removed),
      hasMore: this.#next !== null,
      isLoaded: this.#isLoaded,
    });
  }
}

const isNewer = (one: Session | undefined, other: Session): boolean =>
  one !== undefined && one.last_seq > other.last_seq;

const byActivity = (one: Session, other: Session): number => {
  if (one.last_active_at !== other.last_active_at)
    return one.last_active_at < other.last_active_at ? 1 : -1;
  return one.id < other.id ? 1 : -1;
};
