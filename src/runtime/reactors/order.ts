import type { Intent } from "../../session/intend.ts";
import type { State } from "../../session/state.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { attempt } from "./attempt.ts";
import type { Means } from "./means.ts";

const STOP_GRACE_MS = 3000;

/** Cancels a turn, answers a permission request, stops an agent. */
export const order = (
  means: Means,
  state: State,
  intent: Extract<Intent, { kind: "cancel" | "answer" | "stop" }>,
): Promise<void> =>
  attempt(means, state, (place) => {
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
        return place.stop({ execution_id, epoch, grace_ms: STOP_GRACE_MS });
      default:
        return unreachable(intent);
    }
  });
