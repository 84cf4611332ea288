import { LinkError } from "../contract/link-error.ts";
import type { Engine } from "./engine.ts";
import { isLinkLost } from "./link-lost.ts";
import type { Log, Place } from "./ports.ts";
import { isSessionDamaged } from "./session-damaged.ts";

type Known = Awaited<ReturnType<Place["executions"]>>[number];

/** What has ended and is in the journal needs no files any more. */
export const forgetEnded = async (
  { engine, log }: { engine: Engine; log: Log },
  place: Place,
  known: readonly Known[],
): Promise<void> => {
  for (const { execution_id, epoch, session_id, alive } of known) {
    if (alive) continue;
    try {
      const state = await engine.state(session_id);
      if (state.execution?.id !== execution_id && state.epoch >= epoch)
        await place.forget({ execution_id, epoch });
    } catch (error) {
      if (isLinkLost(error)) throw error;
      // The list is from before: whoever heard its end may have forgotten it since.
      if (error instanceof LinkError && error.code === "unknown_execution")
        continue;
      // What it said last is nowhere else.
      if (isSessionDamaged(error)) continue;
      log.warn({ execution_id, err: error }, "could not forget an execution");
    }
  }
};
