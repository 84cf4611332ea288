/** Prompts of the store in memory. */
import type { SessionId } from "../contract/base/id.ts";
import { RepriseError } from "../contract/problem/problem.ts";
import type { PromptChange } from "../runtime/ports/store.ts";

export type PromptRow = Required<PromptChange> & { session_id: SessionId };

/** The row of a prompt after a change. Only the change that gives the prompt names its event. */
export const promptRowAfter = (
  session_id: SessionId,
  change: PromptChange,
  before: PromptRow | undefined,
): PromptRow => {
  const seq = change.seq ?? before?.seq;
  if (seq === undefined)
    throw new RepriseError("internal", `Prompt ${change.id} was never given.`);
  return { ...change, seq, session_id };
};
