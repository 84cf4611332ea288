/** Stops an attempt that has used up its time (TSK-22). */
import type { SessionId } from "../../../contract/base/id.ts";
import type { Intent } from "../../../task/intend.ts";
import { openAttempt, type State } from "../../../task/state.ts";
import { failureKind } from "../../failures/failure-kind.ts";
import type { TaskDeps } from "../task-deps.ts";
import { unlessLost } from "../unless-lost.ts";

type Stop = Extract<Intent, { kind: "stop" }>;

export const stop = async (
  deps: TaskDeps,
  state: State,
  intent: Stop,
): Promise<void> => {
  const { session_id } = intent;
  await unlessLost(deps, state.id, session_id, async () => {
    await withdraw(deps, intent);
    if (await isRunning(deps, session_id))
      await deps.operations.cancelTurn(session_id);
  });
  pauseLater(deps, state, intent);
};

/** What waits behind the turn would begin when that is cancelled. */
const withdraw = async (
  { sessions, operations }: TaskDeps,
  { session_id, prompt_ids }: Stop,
): Promise<void> => {
  const { prompts } = await sessions.state(session_id);
  for (const { id } of prompts.queue)
    if (prompt_ids.includes(id)) await operations.cancelPrompt(session_id, id);
};

/** Nothing waits for it: an agent that does not listen is paused, and what comes of that is news of its session. */
const pauseLater = (deps: TaskDeps, state: State, intent: Stop): void => {
  const { later, log, stopMs, operations } = deps;
  const { attempt_id, session_id } = intent;
  const pauseIfOpen = async (): Promise<void> => {
    const open = openAttempt(await deps.tasks.state(state.id));
    if (open?.id === attempt_id && open.progress.kind === "under way")
      await unlessLost(deps, state.id, session_id, () =>
        operations.pauseSession(session_id),
      );
  };
  later.after(stopMs, () => {
    pauseIfOpen().catch((err: unknown) => {
      if (failureKind(err) === "passing")
        return pauseLater(deps, state, intent);
      log.error(
        { task_id: state.id, session_id, err },
        "could not pause a session whose attempt has used up its time",
      );
    });
  });
};

const isRunning = async (
  { sessions }: TaskDeps,
  session: SessionId,
): Promise<boolean> =>
  (await sessions.state(session)).lifecycle.name === "RUNNING";
