import type { State } from "../../session/state.ts";
import { factsOf } from "../agentctl-health.ts";
import { look } from "../look.ts";
import type { Means } from "./means.ts";
import { startOrFail } from "./start-or-fail.ts";

/** Obtains an agentctl, looks at the world and begins an execution. Only a few come up at a time. */
export const begin = async (
  means: Means,
  state: State,
  failingMs: number,
): Promise<void> => {
  const leave = await means.starts.enter();
  try {
    await beginNow(means, state, failingMs);
  } catch (error) {
    leave();
    throw error;
  }
  leaveWhenUp(means, state, leave);
};

const beginNow = (
  means: Means,
  state: State,
  failingMs: number,
): Promise<void> => {
  const { engine, ids } = means;
  return startOrFail(
    means,
    state,
    { epoch: null, failingMs },
    async (place) => {
      const [report, agentctl] = await Promise.all([
        look(means, place, state),
        factsOf(means, place, state),
      ]);
      await engine.issue(state.id, {
        type: "execution.begin",
        execution_id: ids.execution(),
        term: engine.term,
        report,
        agentctl,
      });
    },
  );
};

/** The place in the gate is kept until the agent is up, has failed, or has had its time. */
const leaveWhenUp = (
  { engine, startDeadlineMs }: Means,
  { id }: State,
  leave: () => void,
): void => {
  engine
    .until(
      id,
      ({ lifecycle }) => lifecycle.name !== "STARTING",
      AbortSignal.timeout(startDeadlineMs),
    )
    .then(leave, leave);
};
