import type { SessionQuota } from "../../contract/session/quota.ts";
import { continuationOf } from "../state/continuation.ts";
import { quotaDueAt, replacementAt } from "../state/quota/hand-over.ts";
import { promptsWaitUntil } from "../state/quota/held-queue.ts";
import { newestCut } from "../state/newest-cut.ts";
import type { State } from "../state/state.ts";

export const quotaOf = (state: State): SessionQuota => ({
  used_up: state.quotas.known.flatMap(({ agent, until, is_told }) =>
    until === null ? [] : [{ agent, until, is_told }],
  ),
  stands_in_for: state.quotas.first?.definition.agent ?? null,
  goes_on_at: goesOnAt(state),
  prompts_wait_until: promptsWaitUntil(state),
  next_agent: replacementAt(state),
});

const goesOnAt = (state: State): string | null =>
  newestCut(state)?.by_quota === true
    ? (continuationOf(state)?.not_before ?? quotaDueAt(state))
    : null;
