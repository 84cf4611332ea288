import { elapsedMs } from "../../../kit/time/elapsed.ts";
import type { Draft } from "../draft.ts";

/** Quotas whose time has come are filled again, as far as anybody knows. */
export const recordFilled = (draft: Draft): void => {
  for (const { agent, until } of draft.state.quotas.known)
    if (until !== null && elapsedMs(until, draft.at) >= 0)
      draft.emit({ type: "session.quota.filled", data: { agent } });
};
