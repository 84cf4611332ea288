/** What is in force in the agent of a session, and how it is shown. */
import type { AgentDefinition } from "../../contract/agent/agent.ts";
import type { Applied, InForce } from "../../contract/agent/restriction.ts";

/** With the values of what was asked for. */
export const appliedOf = (
  inForce: InForce | null,
  definition: AgentDefinition,
): Applied | null => {
  if (inForce === null) return null;
  const { mode, model, settings, tools } = inForce;
  const { allowed_tools = null, disallowed_tools = [] } = definition;
  return {
    mode,
    model,
    settings: settings && {
      value: Object.keys(definition.settings ?? {}),
      held: settings.held,
    },
    tools: tools && {
      value: { allowed: allowed_tools, disallowed: disallowed_tools },
      held: tools.held,
    },
  };
};
