import type { State } from "../../session/state.ts";
import { look } from "../look.ts";
import type { Means } from "./means.ts";
import { reasonOf } from "./reason.ts";

/** Obtains an agentctl, looks at the world and begins an execution. Only a few come up at a time. */
export const begin = async (means: Means, state: State): Promise<void> => {
  const leave = await means.starts.enter();
  try {
    await beginNow(means, state);
  } catch (error) {
    leave();
    throw error;
  }
  leaveWhenUp(means, state, leave);
};

const beginNow = async (means: Means, state: State): Promise<void> => {
  const { engine, places, ids } = means;
  try {
    const place = await places.obtain(state.executor);
    await engine.issue(state.id, {
      type: "execution.begin",
      execution_id: ids.execution(),
      term: engine.term,
      report: await look(means, place, state),
      agentctl: {
        runtime: place.runtime,
        url: place.url,
        pid: place.pid,
        build: place.build,
      },
    });
  } catch (error) {
    await engine.issue(state.id, {
      type: "execution.fail",
      epoch: null,
      ...reasonOf(error),
    });
  }
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
