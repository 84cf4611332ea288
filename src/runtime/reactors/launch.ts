import type { StartOrder } from "../../contract/link.ts";
import { RepriseError } from "../../contract/problem.ts";
import type { Intent } from "../../session/intend.ts";
import type { State } from "../../session/state.ts";
import type { Place } from "../ports.ts";
import type { Means } from "./means.ts";
import { reasonOf } from "./reason.ts";

/** Has agentctl start the agent. Everything after comes as reports. */
export const launch = async (
  means: Means,
  state: State,
  intent: Extract<Intent, { kind: "launch" }>,
): Promise<void> => {
  const { engine, places } = means;
  try {
    const place = await places.obtain(state.executor);
    const order = await startOrder(means, state, intent);
    places.expect(intent.execution_id, state.id);
    await start(place, order);
  } catch (error) {
    if (error instanceof LinkLost) throw error.cause;
    await engine.issue(state.id, {
      type: "execution.fail",
      epoch: intent.epoch,
      ...reasonOf(error),
    });
  }
};

/** The link broke when the order was out: it may have arrived, so it is given again. */
class LinkLost extends Error {}

const start = async (place: Place, order: StartOrder): Promise<void> => {
  try {
    await place.start(order);
  } catch (error) {
    if (error instanceof RepriseError && error.code === "agentctl_unavailable")
      throw new LinkLost("the link was lost", { cause: error });
    throw error;
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
