import type { StartOrder } from "../../contract/link.ts";
import { turnsCut, turnsKnown } from "../../session/history.ts";
import type { Intent } from "../../session/intend.ts";
import type { State } from "../../session/state.ts";
import { agentSessionOf } from "../agent-session.ts";
import type { Caller } from "../caller-environments.ts";
import type { Means } from "./means.ts";
import { startOrFail } from "./start-or-fail.ts";

/** Has agentctl start the agent. Everything after comes as reports. */
export const launch = (
  means: Means,
  state: State,
  intent: Extract<Intent, { kind: "launch" }>,
  failingMs: number,
): Promise<void> => {
  const { places, callers } = means;
  const { execution_id, epoch } = intent;
  return startOrFail(means, state, { epoch, failingMs }, async (place) => {
    const caller = callers.of(state.id, state.execution?.credentials);
    const order = await startOrder(means, state, caller, intent);
    places.expect(execution_id, state.id);
    await place.start(order);
    callers.compared(execution_id, caller);
  });
};

const startOrder = async (
  means: Means,
  state: State,
  caller: Caller,
  {
    execution_id,
    epoch,
  }: { execution_id: StartOrder["execution_id"]; epoch: number },
): Promise<StartOrder> => {
  const { token: _, ...agent } = await agentSessionOf(means, state, caller);
  const { token = null, failed = null, rebuild = null } = state.execution ?? {};
  return {
    execution_id,
    epoch,
    session_id: state.id,
    ...agent,
    cwd: state.cwd,
    open:
      token === null
        ? { kind: "new", ...(failed !== null && { failed }) }
        : {
            kind: "native",
            token,
            transcript: state.transcript,
            turns: turnsKnown(state),
            cut: turnsCut(state).length,
          },
    ...(rebuild === null ? {} : { rebuild }),
    worktree: state.worktree,
    predecessors:
      state.last_execution_id === null ? [] : [state.last_execution_id],
    deadline_ms: means.startDeadlineMs,
  };
};
