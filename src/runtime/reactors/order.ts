import type { ExecutionId } from "../../contract/base/id.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import type { Intent } from "../../session/intend.ts";
import type { State } from "../../session/state/state.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { STOP_GRACE_MS } from "../places/stop-grace.ts";
import type { Place } from "../ports/executors.ts";
import { askAgentctl } from "./ask-agentctl.ts";
import type { ReactorDeps } from "./reactor-deps.ts";

/** Cancels a turn, answers a permission request, stops an agent. */
export const order = (
  deps: ReactorDeps,
  state: State,
  intent: Extract<Intent, { kind: "cancel" | "answer" | "stop" }>,
): Promise<void> =>
  askAgentctl(deps, state, (place) => {
    const { execution_id, epoch } = intent;
    switch (intent.kind) {
      case "cancel":
        return place.cancel({ execution_id, epoch });
      case "answer":
        return place.answer({
          execution_id,
          epoch,
          permission_id: intent.permission_id,
          option_id: intent.option_id,
        });
      case "stop":
        return stop(deps, state, place, { execution_id, epoch });
      default:
        return unreachable(intent);
    }
  });

/** One that was begun and never launched is not known there: nobody is going to report its end. */
const stop = async (
  { engine }: ReactorDeps,
  { id }: State,
  place: Place,
  execution: { execution_id: ExecutionId; epoch: number },
): Promise<void> => {
  try {
    await place.stop({ ...execution, grace_ms: STOP_GRACE_MS });
  } catch (error) {
    if (!(error instanceof LinkError) || error.code !== "unknown_execution")
      throw error;
    await engine.issue(id, { type: "execution.lose", epoch: execution.epoch });
  }
};
