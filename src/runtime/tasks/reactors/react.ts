import { RepriseError } from "../../../contract/problem/problem.ts";
import { IntentRunner, type React } from "../../../journal/intent-runner.ts";
import { unreachable } from "../../../kit/unreachable.ts";
import { intend, type Intent, keyOf } from "../../../task/intend.ts";
import type { TaskDeps } from "../task-deps.ts";
import { type Tasks, tasks } from "../task-journal.ts";
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
        return end(deps, intent);
      default:
        return unreachable(intent);
    }
  };

/** Sessions that have ended, or are gone, need not be ended. */
const end = async (
  { operations }: TaskDeps,
  { session_id, outcome }: Extract<Intent, { kind: "end" }>,
): Promise<void> => {
  try {
    await operations.endSession(session_id, { outcome });
  } catch (error) {
    if (!(error instanceof RepriseError) || !isOver.has(error.code))
      throw error;
  }
};

const isOver: ReadonlySet<string> = new Set([
  "session_ended",
  "session_not_found",
  "session_deleted",
  "session_damaged",
]);
