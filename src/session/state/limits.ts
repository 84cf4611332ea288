/** When the turn in progress has used up what its prompt allows it. */
import type { LimitReached } from "../../contract/agent/prompt-limits.ts";
import type { State, Turn } from "./state.ts";
import { messageOfTool } from "./tool-calls.ts";
import { runningTurn } from "./turns.ts";

/** Which limit the turn is beyond; null when it is within all of them. `asked` is the call that the agent asks permission for. */
export const limitReached = (
  state: State,
  asked: string | null = null,
): LimitReached | null => {
  const turn = runningTurn(state);
  if (turn === undefined) return null;
  if (turn.limit_reached !== undefined) return turn.limit_reached;
  return isBeyondCalls(turn, isNewCall(state, asked)) ? "max_tool_calls" : null;
};

const isBeyondCalls = ({ limits, tool_calls }: Turn, isNew: boolean): boolean =>
  limits?.max_tool_calls !== undefined &&
  tool_calls + (isNew ? 1 : 0) > limits.max_tool_calls;

/** Some agents ask before they tell of the call. */
const isNewCall = ({ output }: State, asked: string | null): boolean =>
  asked !== null && messageOfTool(output.tools, asked) === undefined;
