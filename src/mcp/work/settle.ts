/**
 * What a call answers that waits for an agent's turn:
 *
 *   over in time ──► the result          needs a permission ──► a form, else `needs_permission`
 *   still at work ──► a task handle for clients that take one, else wait on to the client's limit, then `working`
 */
import { isInputRequiredResult } from "@modelcontextprotocol/server";
import { currentResult, type TurnResult } from "../../client/turn.ts";
import { timesOf } from "../base/parts.ts";
import type { Call, ToolResult } from "../base/tool.ts";
import { finish } from "./finish.ts";
import { askByForm, isUnanswered } from "./form.ts";
import { taskHandle } from "./task-handle.ts";
import {
  stopWatching,
  waitForTurn,
  watchForCancel,
  withProgress,
} from "./wait.ts";
import type { Work } from "./work.ts";

export interface Patience {
  /** How long the caller wants to wait; by its habits unless it says so. */
  waitSeconds?: number | undefined;
  /** Whether a task handle may be the answer. */
  mayHandle: boolean;
}

export const settle = async (
  call: Call,
  work: Work,
  patience: Patience,
): Promise<ToolResult> => {
  watchForCancel(call, work);
  let isAnswered = true;
  try {
    const result = await resultOf(call, work, patience);
    // A call whose form is on somebody's screen can still be cancelled.
    isAnswered = !isInputRequiredResult(result);
    return result;
  } finally {
    if (isAnswered) stopWatching(call);
  }
};

const resultOf = async (
  call: Call,
  work: Work,
  { waitSeconds, mayHandle }: Patience,
): Promise<ToolResult> => {
  const { door, caller } = call;
  const budgetMs = (waitSeconds ?? usualWait(call)) * 1000;
  const givesHandle = mayHandle && caller.takesTasks;
  const { firstMs } = timesOf(door);
  const turn = await withProgress(call, work, () =>
    waitForTurn(
      call,
      work,
      givesHandle ? Math.min(firstMs, budgetMs) : budgetMs,
    ),
  );
  if (turn === null && givesHandle) return taskHandle(door, work);
  return settled(call, work, turn);
};

const usualWait = ({ caller }: Call): number => {
  const { waits, waitsWithProgress } = caller.habits;
  return caller.progressToken === null ? waits : waitsWithProgress;
};

const settled = async (
  call: Call,
  work: Work,
  turn: TurnResult | null,
): Promise<ToolResult> => {
  const { door, caller } = call;
  const { session_id, prompt_id } = work;
  const [permission] = turn?.pending_permissions ?? [];
  if (
    turn?.status === "needs_permission" &&
    permission !== undefined &&
    caller.showsForms &&
    !isUnanswered(door, session_id, permission.id)
  )
    return askByForm(call, work, permission);
  return finish(
    door,
    work,
    turn ?? (await currentResult(door.client, session_id, prompt_id)),
  );
};
