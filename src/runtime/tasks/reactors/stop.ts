/** Stops an attempt that has used up its time (TSK-22). */
import type { SessionId } from "../../../contract/base/id.ts";
import type { Intent } from "../../../task/intend.ts";
import { openAttempt, type State } from "../../../task/state.ts";
import type { TaskDeps } from "../task-deps.ts";

export const stop = async (
  deps: TaskDeps,
  state: State,
  { attempt_id, session_id }: Extract<Intent, { kind: "stop" }>,
): Promise<void> => {
  const { operations, later, log, stopMs } = deps;
  if (await isRunning(deps, session_id))
    await operations.cancelTurn(session_id);
  // Nothing waits for it: an agent that does not listen is paused, and what comes of that is news of its session.
  later.after(stopMs, () => {
    pauseIfOpen().catch((err: unknown) =>
      log.error(
        { task_id: state.id, session_id, err },
        "could not pause a session whose attempt has used up its time",
      ),
    );
  });
  const pauseIfOpen = async (): Promise<void> => {
    const now = await deps.tasks.state(state.id);
    const open = openAttempt(now);
    if (open?.id === attempt_id && open.progress.kind === "under way")
      await operations.pauseSession(session_id);
  };
};

const isRunning = async (
  { sessions }: TaskDeps,
  session: SessionId,
): Promise<boolean> =>
  (await sessions.state(session)).lifecycle.name === "RUNNING";
