/** What is in force in the agent of a session, and how it is shown. */
import type { AgentDefinition } from "../../contract/agent/agent.ts";
import type { EventDataOf } from "../../contract/event/event.ts";
import {
  type Applied,
  type InForce,
  modeIn,
} from "../../contract/agent/restriction.ts";
import type { State } from "./state.ts";

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

/** An agent may leave its mode by itself, as Claude does when its plan is accepted. */
export const followMode = (
  state: State,
  { update }: EventDataOf<"session.agent.update">,
): State => {
  const { applied } = state.agent;
  const value = modeIn(update);
  if (applied === null || value === null) return state;
  const mode = { value, held: "agent" as const };
  return { ...state, agent: { ...state.agent, applied: { ...applied, mode } } };
};

/** What was confirmed for another definition says nothing about this one. */
export const redefined = (
  state: State,
  definition: AgentDefinition,
): State => ({
  ...state,
  agent: { ...state.agent, definition, applied: null },
});
