import { setTimeout as delay } from "node:timers/promises";
import { type PlaceRef, placeKey } from "../../contract/base/place.ts";
import { backoff } from "../../kit/time/backoff.ts";
import type { State } from "../../session/state/state.ts";
import type { RecoveryDeps } from "./recovery-deps.ts";
import { type Alive, tryToSettle } from "./settle-place.ts";
import { tellAgentctl } from "./tell-agentctl.ts";

/** The one loop of recovery: tries until the place answers, or until no session has an execution there any more. */
export const regainPlace = async (
  deps: RecoveryDeps,
  at: PlaceRef,
): Promise<Alive> => {
  const { closing } = deps;
  for (let attempt = 0; !closing.aborted; attempt++) {
    const states = executingAt(deps, at);
    if (states.length === 0) break;
    if (attempt === 0)
      await Promise.all(
        states.map((state) => tellAgentctl(deps, state, STARTING)),
      );
    const alive = await tryToSettle(deps, at, states);
    if (alive !== null) return alive;
    const pause = delay(backoff(attempt, 100, 5000), undefined, {
      signal: closing,
    });
    await pause.catch(() => undefined);
  }
  return new Set();
};

const STARTING = { status: "starting" } as const;

/** Sessions with an execution are always kept in memory. */
const executingAt = ({ shelf }: RecoveryDeps, at: PlaceRef): State[] =>
  [...shelf.values()].filter(
    ({ execution }) =>
      execution !== null && placeKey(execution.place) === placeKey(at),
  );
