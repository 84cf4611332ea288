import { elapsedMs } from "../../../kit/time/elapsed.ts";
import { usedUpUntil } from "../../state/quota/held-queue.ts";
import { isUsedUp } from "../../state/quota/quotas.ts";
import type { Draft } from "../draft.ts";

/** Quotas whose time has come are filled again, as far as anybody knows. */
export const recordFilled = (draft: Draft): void => {
  for (const { agent, until } of draft.state.quotas.known)
    if (until !== null && elapsedMs(until, draft.at) >= 0)
      draft.emit({ type: "session.quota.filled", data: { agent } });
};

/** Somebody has the agent tried before the time has come, or what goes on by itself tries it. */
export const countAsFilled = (draft: Draft, by_hand: boolean): void => {
  const { agent } = draft.state.agent.definition;
  if (usedUpUntil(draft.state) !== null)
    draft.emit({
      type: "session.quota.filled",
      data: { agent, ...(by_hand && { by_hand }) },
    });
};

/**
 * Somebody has the agent tried that the session belongs to. Where another one stands in for it, or is to, the session goes back
 * to it.
 */
export const countOwnAsFilled = (draft: Draft): void => {
  const { quotas, agent: current } = draft.state;
  const { agent } = (quotas.first ?? current).definition;
  if (isUsedUp(quotas, agent))
    draft.emit({
      type: "session.quota.filled",
      data: { agent, by_hand: true },
    });
};
