/** Tasks, put together: on top of what can be done with sessions. */
import { CommitFeed } from "../journal/commit-feed.ts";
import { Engine } from "../journal/engine.ts";
import { Shelf } from "../journal/shelf.ts";
import { Lanes } from "../kit/time/lanes.ts";
import { Later } from "../kit/time/later.ts";
import type { TaskId } from "../contract/base/id.ts";
import type { Retention } from "../session/view/retention.ts";
import type { Ages } from "./ports/home.ts";
import type { HeldPlaces } from "./places/held-places.ts";
import type { OutboxEntriesOf } from "./ports/webhook-store.ts";
import type { Recovery } from "./recovery/recovery.ts";
import type { SessionCommits } from "./sessions/session-journal.ts";
import { watchDueTasks } from "./tasks/due-tasks.ts";
import { emptyTaskTrash } from "./tasks/empty-trash.ts";
import { keptTasks } from "./tasks/kept-tasks.ts";
import { NewsReader } from "./tasks/news-reader.ts";
import { taskOperations } from "./tasks/operations.ts";
import { taskIntents } from "./tasks/reactors/react.ts";
import type { TaskDeps } from "./tasks/task-deps.ts";
import {
  taskJournals,
  type Tasks,
  tasks as kind,
} from "./tasks/task-journal.ts";

const PAGE = 100;
const STOP_MS = 30_000;

interface Parts extends Pick<
  TaskDeps,
  | "sessions"
  | "operations"
  | "store"
  | "receipts"
  | "ids"
  | "clock"
  | "log"
  | "overrides"
  | "profiles"
  | "hosts"
> {
  held: HeldPlaces;
  sessionCommits: SessionCommits;
  recovery: Pick<Recovery, "settled" | "touch">;
  stopMs?: number;
  outboxEntriesOf: OutboxEntriesOf;
}

export const startTasks = (parts: Parts) => {
  const { store, held, clock, sessions, sessionCommits, log } = parts;
  const commits = new CommitFeed<Tasks>();
  const lanes = new Lanes();
  const later = new Later();
  const shelf = new Shelf<Tasks>(kind);
  const tasks = new Engine<Tasks>({
    kind,
    store: taskJournals(store, parts.outboxEntriesOf),
    terms: held,
    clock,
    lanes,
    shelf,
    commits,
  });
  const news: NewsReader = new NewsReader({
    store,
    sessions,
    commits: sessionCommits,
    tasks,
    later,
    log,
  });
  const deps: TaskDeps = {
    ...parts,
    tasks,
    commits,
    lanes,
    later,
    callers: new Map(),
    hearOut: async (session) => {
      await parts.recovery.touch(session);
      await news.hear(session);
    },
    stopMs: parts.stopMs ?? STOP_MS,
  };
  const intents = taskIntents(deps);
  held.onGivenUp(keptTasks({ tasks, shelf, intents }));
  const pursue = async (id: TaskId): Promise<void> => {
    try {
      intents.pursue(await tasks.state(id));
    } catch (err) {
      log.error({ task_id: id, err }, "could not look after a task of before");
    }
  };

  /** What earlier servers left undone. */
  const pursueLive = async (): Promise<void> => {
    let after: TaskId | null = null;
    do {
      const page: TaskId[] = await store.liveTasks(after, PAGE);
      await Promise.all(page.map(pursue));
      after = page.length < PAGE ? null : (page.at(-1) ?? null);
    } while (after !== null && !isClosed);
  };

  let isClosed = false;
  // With `recovery: off` only tasks are looked after that something happens to while this server runs (TSK-40).
  const touched = new Set<TaskId>();
  let isOurs = (id: TaskId): boolean => touched.has(id);
  const stopNoting = commits.onAny(({ id }) => void touched.add(id));
  let due: ReturnType<typeof watchDueTasks> | null = null;
  // Once sessions are looked after, tasks are told what became of theirs and go on. Only then is it known which are due.
  void parts.recovery.settled
    .then(async (dueTurns) => {
      if (isClosed) return;
      await news.readAll();
      if (dueTurns !== "all") return;
      stopNoting();
      isOurs = () => true;
      await pursueLive();
    })
    .catch((err: unknown) => {
      if (!isClosed)
        log.error({ err }, "could not look after the tasks of before");
    })
    .then(() => {
      if (!isClosed) due = watchDueTasks(deps, (id) => isOurs(id));
    });

  return {
    commits,
    operations: taskOperations(deps),
    emptyTrash: (ages: Ages, retention: Retention) =>
      emptyTaskTrash(deps, ages, retention),
    async close(): Promise<void> {
      isClosed = true;
      stopNoting();
      await due?.close();
      later.close();
      await news.close();
      await intents.close();
      await lanes.drain();
    },
  };
};
