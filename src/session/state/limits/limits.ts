/** When the turn in progress is beyond what its prompt, or the session's budget, allows it. */
import type { LimitReached } from "../../../contract/agent/prompt-limits.ts";
import { elapsedMs } from "../../../kit/time/elapsed.ts";
import { usedUpAt } from "./budget.ts";
import type { State, Turn } from "../state.ts";
import { messageOfTool, runningCalls } from "../tool-calls.ts";
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
  return isBeyondBudget(state, turn) ? "budget" : null;
};

const isBeyondCalls = ({ limits, tool_calls }: Turn, isNew: boolean): boolean =>
  limits?.max_tool_calls !== undefined &&
  tool_calls + (isNew ? 1 : 0) > limits.max_tool_calls;

/** Some agents ask before they tell of the call. */
const isNewCall = ({ output }: State, asked: string | null): boolean =>
  asked !== null && messageOfTool(output.tools, asked) === undefined;

/** The call that runs when the budget is used up may end; another one, or one that waits for a person, is beyond it. */
const isBeyondBudget = (
  { budget: { reached }, permissions, output }: State,
  { tool_calls }: Turn,
): boolean =>
  reached !== null &&
  (tool_calls > reached.tool_calls ||
    permissions.pending.length > 0 ||
    runningCalls(output.tools).length === 0);

/** How long a tool call may go on after the budget is used up, and an agent after its turn was cancelled for a limit. */
const LAST_CALL_MS = 5 * 60_000;
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
  return elapsedMs(reached.at, at) > LAST_CALL_MS ? "cancel" : null;
};
