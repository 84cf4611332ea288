import type { AgentDefinition } from "./agent.ts";
import type { PromptLimits } from "./prompt-limits.ts";

/**
 * What an agent has to be told about how it is to work: its instructions, and the limits to its tools where it does not
 * keep to them by itself. Null when there is nothing to tell.
 */
export const briefingOf = (
  {
    instructions,
    allowed_tools,
    disallowed_tools,
  }: Pick<
    AgentDefinition,
    "instructions" | "allowed_tools" | "disallowed_tools"
  >,
  { tools }: { tools: boolean },
): string | null => {
  const parts = [
    instructions?.trim() ?? "",
    ...(tools ? toolLimits(allowed_tools, disallowed_tools) : []),
  ].filter((part) => part !== "");
  return parts.length === 0 ? null : parts.join("\n\n");
};

/** Whether the definition limits which tools the agent may use. */
export const limitsTools = ({
  allowed_tools,
  disallowed_tools = [],
}: Pick<AgentDefinition, "allowed_tools" | "disallowed_tools">): boolean =>
  allowed_tools !== undefined || disallowed_tools.length > 0;

const toolLimits = (
  allowed: readonly string[] | undefined,
  disallowed: readonly string[] = [],
): string[] => [
  ...(allowed === undefined
    ? []
    : [
        `Use only these tools: ${listed(allowed)}. Every other is refused. Do not look for a way round.`,
      ]),
  ...(disallowed.length === 0
    ? []
    : [
        `Do not use these tools: ${listed(disallowed)}. They are refused. Do not look for a way round.`,
      ]),
];

/** What an agent is told of the limits of one prompt, to be put before it; null when they limit no tools. */
export const limitsBlock = (limits: PromptLimits): string | null => {
  const { allowed_tools, disallowed_tools } = limits;
  const words = toolLimits(allowed_tools, disallowed_tools);
  return words.length === 0
    ? null
    : [
        "=== TOOLS FOR THIS PROMPT ===",
        ...words,
        "=== END OF TOOLS FOR THIS PROMPT ===",
        "",
      ].join("\n");
};

const listed = (tools: readonly string[]): string =>
  tools.length === 0 ? "none" : tools.join(", ");

/** The same before a prompt, set apart from what the person says. */
export const asBlock = (briefing: string): string =>
  [
    "=== INSTRUCTIONS FOR THIS SESSION ===",
    briefing,
    "=== END OF INSTRUCTIONS ===",
    "",
  ].join("\n");
