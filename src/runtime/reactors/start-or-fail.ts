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
 * that one cannot be had at once.
 */
export const startOrFail = async (
  { engine, places, startDeadlineMs }: ReactorDeps,
  state: State,
  { epoch, failingMs }: { epoch: number | null; failingMs: number },
  step: (place: Place) => Promise<void>,
): Promise<void> => {
  let place: Place | null = null;
  try {
    place = await places.obtain(placeOf(state));
    await step(place);
  } catch (error) {
    if (isSuperseded(error)) throw error;
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
