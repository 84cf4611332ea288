import type { StateReason } from "../../contract/session/state.ts";
import type { Draft } from "./draft.ts";

/** Asks for the execution to stop. It has ended only when all its processes are gone. */
export const stop = (
  draft: Draft,
  reason: StateReason,
  message?: string,
): void => {
  const { execution } = draft.state;
  if (execution === null) return;
  draft.emit({
    type: "session.execution.stopping",
    data: {
      execution_id: execution.id,
      epoch: execution.epoch,
      reason,
      ...(message === undefined ? {} : { message }),
    },
  });
};
