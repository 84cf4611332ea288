import { LinkError } from "../../contract/link/link-error.ts";
import type { LinkRefusal } from "../../contract/link/link-refusal.ts";
import { placeOf } from "../../session/state/place.ts";
import type { State } from "../../session/state/state.ts";
import type { Place } from "../ports/executors.ts";
import type { ReactorDeps } from "./reactor-deps.ts";

const SETTLED: ReadonlySet<LinkRefusal> = new Set([
  "unknown_execution",
  "execution_ended",
  "epoch_superseded",
  "permission_closed",
]);

/** Asks something of the agentctl that hosts the session's agent. When it is away, that is tried again. */
export const askAgentctl = async (
  { places, log }: ReactorDeps,
  state: State,
  ask: (place: Place) => Promise<void>,
): Promise<void> => {
  try {
    await ask(await places.obtain(placeOf(state)));
  } catch (error) {
    if (!(error instanceof LinkError) || !SETTLED.has(error.code)) throw error;
    // The execution has ended or was superseded meanwhile: its end is reported and settles the matter.
    log.info(
      { session_id: state.id, code: error.code },
      "agentctl refused an order",
    );
  }
};
