import type { Create } from "../command.ts";
import type { Decision } from "./decision.ts";
import { Draft } from "./draft.ts";
import { queuePrompt } from "./prompts.ts";
import { askForAgent } from "./start.ts";

/** A new session starts its agent at once, with or without a prompt to work on. */
export const decideCreate = (create: Create, at: string): Decision => {
  const { session_id, task_id, prompt, ...definition } = create;
  const draft = new Draft(null, { session_id, task_id }, at);
  draft.emit({ type: "session.created", data: definition });
  if (prompt !== null) queuePrompt(draft, prompt);
  askForAgent(draft, "start");
  return draft.done();
};
