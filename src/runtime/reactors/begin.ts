import { RepriseError } from "../../contract/problem.ts";
import type { State } from "../../session/state.ts";
import { look } from "../look.ts";
import type { Means } from "./means.ts";

/** Obtains an agentctl, looks at the world and begins an execution. */
export const begin = async (means: Means, state: State): Promise<void> => {
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
    if (
      !(error instanceof RepriseError) ||
      error.code !== "agentctl_unavailable"
    )
      throw error;
    await engine.issue(state.id, {
      type: "execution.fail",
      epoch: null,
      code: error.code,
      message: error.message,
    });
  }
};
