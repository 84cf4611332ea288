import { isLocal } from "../../contract/base/place.ts";
import { tellAgentctl } from "../recovery/tell-agentctl.ts";
import { placeOf } from "../../session/state/place.ts";
import { isSuperseded } from "../../journal/superseded.ts";
import type { State } from "../../session/state/state.ts";
import { isLinkLost } from "../failures/link-lost.ts";
import type { Place } from "../ports/executors.ts";
import type { ReactorDeps } from "./reactor-deps.ts";
import { reasonOf } from "../failures/reason.ts";

/**
 * One step on the way to an agent, and the line between trying again and giving up.
 *
 * An agentctl that cannot be had was tried for before this is told: its reason is the session's error. One that was there for
 * this start and went away may only have been killed: its successor is asked, for as long as a start may take, also when
 * that one cannot be had at once. Another host may be away for long: it is tried for as long as somebody wants the agent, and
 * the session says why it waits (EXE-15).
 */
export const startOrFail = async (
  deps: ReactorDeps,
  state: State,
  { epoch, failingMs }: { epoch: number | null; failingMs: number },
  step: (place: Place) => Promise<void>,
): Promise<void> => {
  const { engine, places, startDeadlineMs } = deps;
  const at = placeOf(state);
  let place: Place | null = null;
  try {
    place = await places.obtain(at);
    await step(place);
  } catch (error) {
    if (isSuperseded(error)) throw error;
    if (!isLocal(at) && isLinkLost(error)) {
      await tellAgentctl(deps, state, places.absences.newsOf(at, error));
      throw error;
    }
    const wasThere =
      place !== null ||
      epoch !== null ||
      failingMs > 0 ||
      state.executions_so_far.lost_starts > 0;
    if (wasThere && isLinkLost(error) && failingMs < startDeadlineMs)
      throw error;
    await engine.issue(state.id, {
      type: "execution.fail",
      epoch,
      ...reasonOf(error),
    });
  }
};
