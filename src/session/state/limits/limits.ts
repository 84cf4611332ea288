/** When the turn in progress is beyond what its prompt, or the session's budget, allows it. */
import type { LimitReached } from "../../../contract/agent/prompt-limits.ts";
import { elapsedMs } from "../../../kit/time/elapsed.ts";
import { usedUpAt } from "./budget.ts";
import type { Reached } from "./budget-state.ts";
import type { State, Turn } from "../state.ts";
import { isAddedAfter, messageOfTool, runningCalls } from "../tool-calls.ts";
import { runningTurn } from "../turns.ts";

/** Which limit the turn is beyond; null when it is within all of them. `asked` is the call that the agent asks permission for. */
export const limitReached = (
  state: State,
  asked: string | null = null,
): LimitReached | null => {
  const turn = runningTurn(state);
  if (turn === undefined) return null;
  if (turn.beyond !== undefined) return turn.beyond.limit;
  if (isBeyondCalls(turn, isNewCall(state, asked))) return "max_tool_calls";
  return isBeyondBudget(state) ? "budget" : null;
};

const isBeyondCalls = ({ limits, tool_calls }: Turn, isNew: boolean): boolean =>
  limits?.max_tool_calls !== undefined &&
  tool_calls + (isNew ? 1 : 0) > limits.max_tool_calls;

/** Some agents ask before they tell of the call. */
const isNewCall = ({ output }: State, asked: string | null): boolean =>
  asked !== null && messageOfTool(output.tools, asked) === undefined;

/** The calls that run when the budget is used up may end. Others, and those that wait for a person, are not waited for. */
const isBeyondBudget = ({ budget, permissions, output }: State): boolean => {
  const { reached } = budget;
  if (reached === null) return false;
  const asked = new Set(permissions.pending.map(({ tool }) => tool?.id));
  return runningCalls(output.tools).every(
    ({ id, message }) => asked.has(id) || isAddedAfter(message, reached.seq),
  );
};

/** How long a tool call may go on after the budget is used up, and after the agent began another one beside it. */
const LAST_CALL_MS = 5 * 60_000;
const BESIDE_MS = 30_000;
/** How long an agent may go on after its turn was cancelled for a limit. */
const CANCEL_MS = 30_000;

/** What has to be done about the turn in progress because of the time alone. */
export const overdue = (
  state: State,
  at: string,
): "budget" | "cancel" | "stop" | null => {
  const turn = runningTurn(state);
  if (turn === undefined) return null;
  const { reached } = state.budget;
  if (turn.cancelling)
    return turn.beyond !== undefined &&
      state.execution?.phase.kind === "ready" &&
      elapsedMs(turn.beyond.since, at) > CANCEL_MS
      ? "stop"
      : null;
  if (reached === null) return usedUpAt(state, at) === null ? null : "budget";
  return isLastCallOver(reached, at) ? "cancel" : null;
};

const isLastCallOver = (
  { at: reached_at, another_since }: Reached,
  at: string,
): boolean =>
  elapsedMs(reached_at, at) > LAST_CALL_MS ||
  (another_since !== null && elapsedMs(another_since, at) > BESIDE_MS);
