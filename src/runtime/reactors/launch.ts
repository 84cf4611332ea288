import type { StartOrder } from "../../contract/link.ts";
import type { Intent } from "../../session/intend.ts";
import type { State } from "../../session/state.ts";
import type { Means } from "./means.ts";
import { startOrFail } from "./start-or-fail.ts";

/** Has agentctl start the agent. Everything after comes as reports. */
export const launch = (
  means: Means,
  state: State,
  intent: Extract<Intent, { kind: "launch" }>,
  failingMs: number,
): Promise<void> => {
  const { places } = means;
  const { execution_id, epoch } = intent;
  return startOrFail(means, state, { epoch, failingMs }, async (place) => {
    const order = await startOrder(means, state, intent);
    places.expect(execution_id, state.id);
    await place.start(order);
  });
};

const startOrder = async (
  { store, overrides, agentEnv, startDeadlineMs }: Means,
  state: State,
  {
    execution_id,
    epoch,
  }: { execution_id: StartOrder["execution_id"]; epoch: number },
): Promise<StartOrder> => {
  const override = overrides[state.definition.agent];
  const own = await store.env(state.id);
  const token = state.execution?.token ?? null;
  return {
    execution_id,
    epoch,
    session_id: state.id,
    definition: state.definition,
    ...(override === undefined ? {} : { override }),
    cwd: state.cwd,
    env: { ...agentEnv, ...override?.env, ...own },
    open:
      token === null
        ? { kind: "new" }
        : {
            kind: "native",
            token,
            transcript: state.transcript,
            turns: state.turns_over,
          },
    predecessors:
      state.last_execution_id === null ? [] : [state.last_execution_id],
    deadline_ms: startDeadlineMs,
  };
};
