/** One try at one place: asks its agentctl what it knows, then attaches what lives and concludes what does not. */
import type { SessionId } from "../../contract/base/id.ts";
import type { PlaceRef } from "../../contract/base/place.ts";
import { isSuperseded } from "../../journal/superseded.ts";
import { orAborted } from "../../kit/time/or-aborted.ts";
import type { State } from "../../session/state/state.ts";
import { isLinkLost } from "../failures/link-lost.ts";
import type { RecoveryDeps } from "./recovery-deps.ts";
import { settleExecution } from "./settle-execution.ts";
import { isOutOfReach, tellAgentctl } from "./tell-agentctl.ts";

/** The sessions whose agent lives and is attached. */
export type Alive = ReadonlySet<SessionId>;

/** The same, where a place that cannot be had is no error: its sessions are told, and null says that it has to be tried again. */
export const tryToSettle = async (
  deps: RecoveryDeps,
  at: PlaceRef,
  states: readonly State[],
): Promise<Alive | null> => {
  const { log, closing } = deps;
  try {
    return await settlePlace(deps, at, states);
  } catch (error) {
    closing.throwIfAborted();
    if (isSuperseded(error)) {
      log.warn(
        { place: at },
        "another server has this place; its sessions are left to it",
      );
      return new Set();
    }
    log.warn({ place: at, err: error }, "agentctl is away; trying again");
    const news = deps.places.absences.newsOf(at, error);
    await Promise.all(states.map((state) => tellAgentctl(deps, state, news)));
    return null;
  }
};

/** Rejects where the place cannot be had. A session that cannot be settled does not hold up the others. */
export const settlePlace = async (
  deps: RecoveryDeps,
  at: PlaceRef,
  states: readonly State[],
): Promise<Alive> => {
  const { places, intents, log, closing } = deps;
  const alive = new Set<SessionId>();
  // A place that never answers is not waited for when the server closes.
  const place = await orAborted(places.obtain(at), closing);
  // Until the place was claimed another server may have gone on (REC-91). Read before agentctl is asked who lives, so that
  // no execution is taken for gone that began since.
  const claimed = await statesNow(deps, states);
  const known = await orAborted(place.executions(), closing);
  for (const state of claimed)
    try {
      if (await settleExecution(deps, place, known, state)) alive.add(state.id);
    } catch (error) {
      if (isLinkLost(error) || isSuperseded(error)) throw error;
      if (await hasMovedOn(deps, state)) continue;
      log.error(
        { session_id: state.id, err: error },
        "could not settle a session; recover it by request",
      );
    }
  // Orders of the server before, or over the connection before, may not have arrived.
  intents.startOver(await statesNow(deps, states));
  return alive;
};

const statesNow = async (
  deps: RecoveryDeps,
  states: readonly State[],
): Promise<State[]> => {
  const now = await Promise.all(states.map(({ id }) => stateNow(deps, id)));
  return now.filter((state) => state !== null);
};

/** Somebody else has settled it meanwhile: its execution has ended, and agentctl may have forgotten it. */
const hasMovedOn = async (
  deps: RecoveryDeps,
  { id, execution }: State,
): Promise<boolean> => {
  const now = await stateNow(deps, id);
  return now?.execution?.id !== execution?.id;
};

/** Null when it was purged meanwhile or found to be damaged, which must hold up nobody else. */
const stateNow = async (
  { engine }: RecoveryDeps,
  id: SessionId,
): Promise<State | null> => {
  try {
    return await engine.state(id);
  } catch (error) {
    if (isOutOfReach(error)) return null;
    throw error;
  }
};
