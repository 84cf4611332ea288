/** Stops an attempt that has used up its time (TSK-22). */
import type { SessionId, TaskId } from "../../../contract/base/id.ts";
import type { Intent } from "../../../task/intend.ts";
import { openAttempt, type State } from "../../../task/state.ts";
import { runBeside } from "../../reactors/beside-intents.ts";
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
const pauseLater = (deps: TaskDeps, { id }: State, intent: Stop): void => {
  const { later, stopMs } = deps;
  const begin = (): void =>
    void runBeside(deps, {
      of: { task_id: id, session_id: intent.session_id },
      failed: "could not pause a session whose attempt has used up its time",
      run: () => pauseIfOpen(deps, id, intent),
      again: begin,
    });
  later.after(stopMs, begin);
};

const pauseIfOpen = async (
  deps: TaskDeps,
  id: TaskId,
  { attempt_id, session_id }: Stop,
): Promise<void> => {
  const open = openAttempt(await deps.tasks.state(id));
  if (open?.id === attempt_id && open.progress.kind === "under way")
    await unlessLost(deps, id, session_id, () =>
      deps.operations.pauseSession(session_id),
    );
};

const isRunning = async (
  { sessions }: TaskDeps,
  session: SessionId,
): Promise<boolean> =>
  (await sessions.state(session)).lifecycle.name === "RUNNING";
