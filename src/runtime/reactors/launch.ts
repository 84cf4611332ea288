import type { StartOrder } from "../../contract/link.ts";
import { LinkError } from "../../contract/link-error.ts";
import { RepriseError } from "../../contract/problem.ts";
import type { Intent } from "../../session/intend.ts";
import type { State } from "../../session/state.ts";
import type { Means } from "./means.ts";

/** Has agentctl start the agent. Everything after comes as reports. */
export const launch = async (
  means: Means,
  state: State,
  intent: Extract<Intent, { kind: "launch" }>,
): Promise<void> => {
  const { engine, places } = means;
  try {
    const place = await places.obtain(state.executor);
    places.expect(intent.execution_id, state.id);
    await place.start(await startOrder(means, state, intent));
  } catch (error) {
    if (!(error instanceof RepriseError) && !(error instanceof LinkError))
      throw error;
    await engine.issue(state.id, {
      type: "execution.fail",
      epoch: intent.epoch,
      code: error.code,
      message: error.message,
    });
  }
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
