import { briefingOf } from "../../contract/agent/briefing.ts";
import type { EventDataOf } from "../../contract/event/event.ts";
import type { State } from "./state.ts";

/**
 * A new session of an agent knows nothing of its instructions. Where they cannot go into its system prompt they go
 * before its first prompt, once: a session that is resumed has them in its memory, or still has them to come.
 */
export const isBriefingDue = (
  { agent: { definition }, prompts }: Pick<State, "agent" | "prompts">,
  {
    opened,
    abilities,
  }: Pick<EventDataOf<"session.agent.ready">, "opened" | "abilities">,
): boolean => {
  if (opened !== "new") return prompts.before_next.brief;
  if (abilities.system_prompt === true) return false;
  return briefingOf(definition, { tools: true }) !== null;
};
