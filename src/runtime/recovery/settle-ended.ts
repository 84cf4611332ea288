import { LinkError } from "../../contract/link/link-error.ts";
import type { Engine } from "../sessions/session-journal.ts";
import { isLinkLost } from "../failures/link-lost.ts";
import type { Log } from "../ports/home.ts";
import { STOP_GRACE_MS } from "../places/stop-grace.ts";
import type { Place } from "../ports/executors.ts";
import { isSessionDamaged } from "../failures/session-damaged.ts";

type Known = Awaited<ReturnType<Place["executions"]>>[number];

/** What has ended in the journal needs no files any more. Where it lives all the same, it is stopped (REC-62). */
export const settleEnded = async (
  { engine, log }: { engine: Engine; log: Log },
  place: Place,
  known: readonly Known[],
): Promise<void> => {
  for (const { execution_id, epoch, session_id, alive } of known)
    try {
      const state = await engine.state(session_id);
      // A journal from an older copy does not know of a newer execution: nothing says that it has ended.
      if (
        state.execution?.id === execution_id ||
        state.executions_so_far.epoch < epoch
      )
        continue;
      if (!alive) {
        await place.forget({ execution_id, epoch });
        continue;
      }
      log.warn(
        { session_id, execution_id },
        "an agent lives that has ended in the journal; it is stopped",
      );
      const grace_ms = STOP_GRACE_MS;
      await place.stop({ execution_id, epoch, grace_ms });
    } catch (error) {
      if (isLinkLost(error)) throw error;
      // The list is from before: whoever heard its end may have forgotten it since.
      if (error instanceof LinkError && error.code === "unknown_execution")
        continue;
      // What it said last is nowhere else.
      if (isSessionDamaged(error)) continue;
      log.warn({ execution_id, err: error }, "could not settle an execution");
    }
};
