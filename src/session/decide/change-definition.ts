/** Changes to how the agent of a session is to work, between two of its starts. */
import type { AgentDefinition } from "../../contract/agent/agent.ts";
import { withSettings } from "../../contract/agent/agent-settings.ts";
import type { DefinitionChange } from "../../contract/api/request.ts";
import type { Restriction } from "../../contract/agent/restriction.ts";

type Field = keyof AgentDefinition;

const fieldsOf = {
  mode: ["mode"],
  model: ["model"],
  options: ["options"],
  settings: ["settings"],
  tools: ["allowed_tools", "disallowed_tools"],
  permissions: ["permissions"],
} as const satisfies Record<string, readonly Field[]>;

/** What is dropped goes first: a request may drop all limits of tools and ask for others. */
export const changedDefinition = (
  definition: AgentDefinition,
  { without = [], ...changes }: DefinitionChange,
): AgentDefinition => {
  const changed = { ...definition };
  for (const what of without)
    for (const field of fieldsOf[what]) delete changed[field];
  const { settings, permissions } = changes;
  const { allowed_tools, disallowed_tools } = changes;
  const { model_fallback, advisory_tools } = changes;
  return {
    ...withSettings(changed, changes),
    ...(settings !== undefined && { settings }),
    ...(allowed_tools !== undefined && { allowed_tools }),
    ...(disallowed_tools !== undefined && { disallowed_tools }),
    ...(permissions !== undefined && { permissions }),
    ...(model_fallback !== undefined && { model_fallback }),
    ...(advisory_tools !== undefined && { advisory_tools }),
  };
};

/** Names of models and modes, and settings, mean something to the agent they were chosen for only. */
const OWN_WORDS = ["mode", "settings", "options", "model"] as const;

/** What was chosen for the agent before and would be lost with another one, unless the request says what becomes of it. */
export const lostByHandoff = (
  definition: AgentDefinition,
  change: DefinitionChange,
): Restriction | null => {
  const lost = OWN_WORDS.find(
    (what) =>
      definition[what] !== undefined &&
      change[what] === undefined &&
      change.without?.includes(what) !== true &&
      !(what === "model" && isModelFree(definition, change)),
  );
  if (lost === undefined) return null;
  const { [lost]: value } = definition;
  return {
    what: lost === "options" ? "option" : lost,
    asked:
      typeof value === "string" ? value : Object.keys(value ?? {}).join(", "),
    reason: "of_another_agent",
    valid: [],
    message: null,
  };
};

/** The definition for another agent: what was chosen for the one before is left out, its profile and the variables of that too. */
export const handedDefinition = (
  definition: AgentDefinition,
  change: DefinitionChange,
): AgentDefinition => {
  const without = [...OWN_WORDS, ...(change.without ?? [])];
  const { profile: _, env_from: _from, ...others } = definition;
  return changedDefinition(others, { ...change, without });
};

/**
 * The definition for the agent that a session goes back to: the model that was chosen for it, and the limits that hold now. A
 * session with a mode or settings of its own is not handed on (SES-126).
 */
export const returnedDefinition = (
  now: AgentDefinition,
  { agent, home, model, profile, env_from }: AgentDefinition,
): AgentDefinition => ({
  ...handedDefinition(now, {}),
  agent,
  home,
  ...(model !== undefined && { model }),
  ...(profile !== undefined && { profile }),
  ...(env_from !== undefined && { env_from }),
});

const isModelFree = (
  definition: AgentDefinition,
  change: DefinitionChange,
): boolean => change.model_fallback ?? definition.model_fallback ?? false;

export const isSame = (a: AgentDefinition, b: AgentDefinition): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
