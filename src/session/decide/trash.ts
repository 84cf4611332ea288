import type { Decision } from "./decision.ts";
import type { Draft } from "./draft.ts";
import { wake } from "./prompts.ts";
import { stop } from "./stop.ts";

/** Into the trash: its agent is stopped, and nothing of it is lost until the trash is emptied. */
export const remove = (draft: Draft): Decision => {
  if (draft.state.deleted_at !== null) return draft.done();
  draft.emit({ type: "session.deleted", data: {} });
  if (draft.state.execution?.phase.kind !== "stopping") stop(draft, "deleted");
  return draft.done();
};

export const undelete = (draft: Draft): Decision => {
  const { deleted_at, prompts, lifecycle } = draft.state;
  if (deleted_at === null) return draft.done();
  draft.emit({ type: "session.undeleted", data: {} });
  // An error waits for somebody who tries again, as it did before.
  if (prompts.queue.length > 0 && lifecycle.name !== "ERROR") wake(draft);
  return draft.done();
};
