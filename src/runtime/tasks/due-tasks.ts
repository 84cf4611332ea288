/** Wakes tasks whose time has come: for a retry, or for an attempt that works too long. The store finds them. */
import type { SessionId, TaskId } from "../../contract/base/id.ts";
import { openAttempt } from "../../task/state.ts";
import { failureKind } from "../failures/failure-kind.ts";
import type { DueTask } from "../ports/task-store.ts";
import { DueRounds, type Waking } from "../watches/due-rounds.ts";
import { retrySessionOf } from "./retry-session.ts";
import { newIds, type TaskDeps } from "./task-deps.ts";

type Deps = Pick<
  TaskDeps,
  "tasks" | "sessions" | "store" | "ids" | "clock" | "log" | "hearOut"
>;

/** `isOurs`: those that this server looks after. */
export const watchDueTasks = (deps: Deps, isOurs: (id: TaskId) => boolean) => {
  /** Those that could not be woken, so that the log says so once. */
  const failing = new Set<TaskId>();

  const look = async (id: TaskId): Promise<Waking | null> => {
    if (!isOurs(id)) return null;
    let waking: Waking | null = null;
    await attempt(id, async () => {
      const session = openAttempt(await deps.tasks.state(id))?.session_id;
      waking = () => attempt(id, () => wake(deps, id, session ?? null));
    });
    return waking;
  };

  const attempt = async (
    id: TaskId,
    work: () => Promise<void>,
  ): Promise<void> => {
    try {
      await work();
    } catch (err) {
      const kind = failureKind(err);
      const isKnown = kind === "passing" || kind === "left";
      if (isKnown || failing.has(id)) return;
      failing.add(id);
      deps.log.error({ task_id: id, err }, "could not wake a task");
    }
  };

  return new DueRounds<DueTask, TaskId>({
    clock: deps.clock,
    log: deps.log,
    what: "tasks",
    find: (by, after, limit) => deps.store.dueTasks(by, after, limit),
    idOf: ({ task_id }) => task_id,
    look,
    seen: (found) => {
      for (const id of failing) if (!found.has(id)) failing.delete(id);
    },
  });
};

const wake = async (
  deps: Deps,
  id: TaskId,
  session: SessionId | null,
): Promise<void> => {
  // An attempt that is over in truth has not used up its time.
  if (session !== null) await deps.hearOut(session);
  await deps.tasks.exclusively(id, async (state) => ({
    command: {
      type: "task.wake",
      ids: newIds(deps),
      session: await retrySessionOf(deps.sessions, state),
    },
    answer: () => undefined,
  }));
};
