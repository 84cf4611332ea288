import type { ExecutionId } from "../../contract/base/id.ts";
import { placeOf } from "../../session/state/place.ts";
import type { State } from "../../session/state/state.ts";
import { factsOf } from "../places/agentctl-health.ts";
import { startedFor } from "../callers/credentials.ts";
import { requireVariables } from "../callers/session-environment.ts";
import { look } from "../places/look.ts";
import type { Place } from "../ports/executors.ts";
import type { ReactorDeps } from "./reactor-deps.ts";
import { startOrFail } from "./start-or-fail.ts";

/** Obtains an agentctl, looks at the world and begins an execution. Only a few come up at a time. */
export const begin = (
  deps: ReactorDeps,
  state: State,
  failingMs: number,
): Promise<void> =>
  startOrFail(deps, state, { epoch: null, failingMs }, async (place) => {
    // Not before the place is there: one that does not answer would keep out the sessions of all others.
    const leave = await deps.starts.enter();
    const execution = deps.ids.execution();
    // What this server begins it listens to: nobody takes it for an earlier server's that never arrived (REC-101).
    deps.places.expect(execution, state.id);
    try {
      await beginAt(deps, place, state, execution);
    } catch (error) {
      deps.places.forget(execution);
      leave();
      throw error;
    }
    leaveWhenUp(deps, state, execution, leave);
  });

const beginAt = async (
  deps: ReactorDeps,
  place: Place,
  state: State,
  execution_id: ExecutionId,
): Promise<void> => {
  const { engine, callers } = deps;
  requireVariables(deps, state.agent.definition);
  const { term } = await deps.held.claim(placeOf(state));
  const [report, agentctl] = await Promise.all([
    look(deps, place, state, startedFor(deps, state).env),
    factsOf(deps, place, state),
  ]);
  // In the lane: whoever asks meanwhile is known before this, or finds the execution.
  await engine.exclusively(state.id, async (now) => {
    const { env, ...labels } = startedFor(deps, now);
    const { credentials } = labels;
    if (credentials !== undefined) callers.hold(state.id, env, credentials);
    return {
      command: {
        type: "execution.begin",
        execution_id,
        term,
        report,
        agentctl,
        ...labels,
      },
      answer: () => undefined,
    };
  });
};

/**
 * The slot is held until this execution is up, has failed, is gone, or has had its time. A start that is repeated
 * because agentctl died enters the gate again. If it kept its old slot, a few sessions would keep out all others.
 */
const leaveWhenUp = (
  { engine, places, startDeadlineMs }: ReactorDeps,
  { id }: State,
  begun: ExecutionId,
  leave: () => void,
): void => {
  engine
    .until(
      id,
      ({ lifecycle, execution }) =>
        lifecycle.name !== "STARTING" || execution?.id !== begun,
      AbortSignal.timeout(startDeadlineMs),
    )
    .then(({ execution }) => {
      if (execution?.id !== begun) places.forget(begun);
    })
    .then(leave, leave);
};
