import { RepriseError } from "../../../contract/problem/problem.ts";
import { IntentRunner, type React } from "../../../journal/intent-runner.ts";
import { unreachable } from "../../../kit/unreachable.ts";
import { intend, type Intent, keyOf } from "../../../task/intend.ts";
import type { State } from "../../../task/state.ts";
import type { TaskDeps } from "../task-deps.ts";
import { type Tasks, tasks } from "../task-journal.ts";
import { unlessLost } from "../unless-lost.ts";
import { review } from "./review.ts";
import { send } from "./send.ts";
import { stop } from "./stop.ts";

/** What tasks intend is pursued. */
export const taskIntents = (deps: TaskDeps): IntentRunner<Tasks, Intent> =>
  new IntentRunner<Tasks, Intent>(deps.commits, {
    kind: tasks,
    intend,
    keyOf,
    react: reactWith(deps),
    isGone: (error) =>
      error instanceof RepriseError && error.code === "task_not_found",
    label: "task_id",
    later: deps.later,
    log: deps.log,
  });

/** Turns an intent into calls on sessions, and answers with commands. */
const reactWith =
  (deps: TaskDeps): React<Tasks, Intent> =>
  (state, intent, failingMs) => {
    switch (intent.kind) {
      case "send":
        return send(deps, state, intent);
      case "stop":
        return stop(deps, state, intent);
      case "review":
        return review(deps, state, intent, failingMs);
      case "end":
        return end(deps, state, intent);
      default:
        return unreachable(intent);
    }
  };

/** One that has ended meanwhile is news of that session. */
const end = async (
  deps: TaskDeps,
  { id }: State,
  { session_id, outcome }: Extract<Intent, { kind: "end" }>,
): Promise<void> => {
  deps.callers.delete(id);
  await unlessLost(deps, id, session_id, async () => {
    try {
      await deps.operations.endSession(session_id, { outcome });
    } catch (error) {
      if (!(error instanceof RepriseError) || error.code !== "session_ended")
        throw error;
      await deps.hearOut(session_id);
    }
  });
};
