/** What an agent cannot be held to, and who holds it to the rest. */
import type { AgentDefinition, Asks } from "../../../contract/agent/agent.ts";
import type {
  HeldBy,
  InForce,
  Restriction,
} from "../../../contract/agent/restriction.ts";
import {
  modelsIn,
  modesIn,
  type Offered,
} from "../../../contract/agent/offered.ts";
import type { Setup } from "../driver.ts";

const MAX_VALUES = 100;
const MAX_TEXT = 1000;

export const restriction = (
  what: Restriction["what"],
  asked: string,
  reason: Restriction["reason"],
  valid: readonly string[] = [],
  message: string | null = null,
): Restriction => ({
  what,
  asked: asked.slice(0, MAX_TEXT),
  reason,
  valid: valid.slice(0, MAX_VALUES).map((value) => value.slice(0, MAX_TEXT)),
  message: message?.slice(0, MAX_TEXT) ?? null,
});

/** What the definition asks for and this agent can never be given. */
export const unsupported = ({
  definition: { settings },
  agent,
}: Setup): Restriction | null =>
  settings === undefined || agent.settings === true
    ? null
    : restriction(
        "settings",
        Object.keys(settings).join(", "),
        "not_supported",
      );

/** What is not held in the mode that the agent is in now. */
export const unheld = (
  { definition, agent }: Setup,
  offer: Offered,
): Restriction | null => {
  const asks = asksIn(agent, offer);
  const { permissions } = definition;
  if (asks === "none" && isRestrictive(permissions))
    return restriction("permissions", policyWords(permissions), "not_asked");
  return definition.advisory_tools !== true &&
    limitsHeldBy(definition, agent, asks) === "words"
    ? restriction("tools", toolWords(definition), "not_asked")
    : null;
};

/** What is in force, as the agent reported it. */
export const inForce = (
  { definition, agent }: Setup,
  offer: Offered,
): InForce => {
  const mode = modesIn(offer)?.current ?? null;
  const configured =
    agent.hasModel === true ? (definition.model ?? null) : null;
  const model = modelsIn(offer)?.current ?? configured;
  const tools = limitsHeldBy(definition, agent, asksIn(agent, offer));
  return {
    mode: mode === null ? null : { value: mode, held: "agent" },
    model: model === null ? null : { value: model, held: "agent" },
    settings: definition.settings === undefined ? null : { held: "agent" },
    tools: tools === null ? null : { held: tools },
  };
};

const asksIn = ({ asks }: Setup["agent"], offer: Offered): Asks =>
  asks?.(modesIn(offer)?.current ?? null, chosenOf(offer)) ?? "some";

const chosenOf = ({ options }: Offered): Record<string, string> =>
  Object.fromEntries(
    options.flatMap(({ id, current }) =>
      current === "" ? [] : [[id, current]],
    ),
  );

/** Null when the tools have no limits. */
const limitsHeldBy = (
  { allowed_tools, disallowed_tools = [] }: AgentDefinition,
  { keepsLimits }: Setup["agent"],
  asks: Asks,
): HeldBy | null => {
  if (allowed_tools === undefined && disallowed_tools.length === 0) return null;
  if (asks === "all") return "answers";
  if (keepsLimits !== true) return "words";
  // It has these tools and no others; which of their uses are allowed is our answer.
  if (!(allowed_tools ?? []).some((tool) => tool.includes("("))) return "agent";
  return asks === "none" ? "words" : "answers";
};

type Policy = NonNullable<AgentDefinition["permissions"]>;

const isRestrictive = (policy: Policy | undefined): policy is Policy =>
  policy !== undefined &&
  (policy.default !== "allow-all" ||
    policy.rules.some(({ answer }) => answer !== "allow"));

const policyWords = ({ default: word, rules }: Policy): string =>
  [word, ...rules.map(({ answer, tool }) => `${answer} ${tool}`)].join("; ");

const toolWords = ({
  allowed_tools,
  disallowed_tools = [],
}: AgentDefinition): string =>
  [
    ...(allowed_tools === undefined
      ? []
      : [`only ${allowed_tools.join(", ") || "none"}`]),
    ...(disallowed_tools.length === 0
      ? []
      : [`not ${disallowed_tools.join(", ")}`]),
  ].join("; ");
