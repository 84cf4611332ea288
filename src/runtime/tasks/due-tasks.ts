/** Wakes tasks whose time has come: for a retry, or for an attempt that works too long. The store finds them. */
import type { TaskId } from "../../contract/base/id.ts";
import { openAttempt } from "../../task/state.ts";
import { failureKind } from "../failures/failure-kind.ts";
import { isStorageTrouble } from "../failures/storage-trouble.ts";
import type { DueTask } from "../ports/task-store.ts";
import { retrySessionOf } from "./retry-session.ts";
import { newIds, type TaskDeps } from "./task-deps.ts";

const EVERY_MS = 1000;
const PAGE = 100;

export const watchDueTasks = (deps: TaskDeps) => {
  let isClosed = false;
  let underWay: Promise<void> | null = null;
  /** Those that could not be woken, so that the log says so once. */
  const failing = new Set<TaskId>();

  const wake = async (id: TaskId): Promise<void> => {
    try {
      // An attempt that is over in truth has not used up its time.
      const session = openAttempt(await deps.tasks.state(id))?.session_id;
      if (session != null) await deps.hearOut(session);
      await deps.tasks.exclusively(id, async (state) => ({
        command: {
          type: "task.wake",
          ids: newIds(deps),
          session: await retrySessionOf(deps.sessions, state),
        },
        answer: () => undefined,
      }));
      failing.delete(id);
    } catch (err) {
      const kind = failureKind(err);
      const isKnown = kind === "passing" || kind === "left";
      if (!isKnown && !failing.has(id)) {
        failing.add(id);
        deps.log.error({ task_id: id, err }, "could not wake a task");
      }
    }
  };

  const look = async (): Promise<void> => {
    const now = deps.clock.now().toISOString();
    let after: DueTask | null = null;
    do {
      const page: DueTask[] = await deps.store.dueTasks(now, after, PAGE);
      await Promise.all(page.map(({ task_id }) => wake(task_id)));
      after = page.length < PAGE ? null : (page.at(-1) ?? null);
    } while (after !== null && !isClosed);
  };

  const timer = setInterval(() => {
    underWay ??= look()
      .catch((err: unknown) => {
        if (!isStorageTrouble(err) && !isClosed)
          deps.log.error({ err }, "could not look for tasks that are due");
      })
      .finally(() => {
        underWay = null;
      });
  }, EVERY_MS);
  timer.unref();
  return {
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(timer);
      await underWay;
    },
  };
};
