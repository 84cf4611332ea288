/** How `session.log` tells what an agent is held to. Nothing of it is secret: values of MCP servers are hidden. */
import type { AgentDefinition, McpServer } from "../contract/agent/agent.ts";
import type { EventDataOf } from "../contract/event/event.ts";
import type { ToldRestrictions } from "../contract/agent/told-restrictions.ts";
import { withHidden } from "../contract/agent/mcp-secret.ts";
import type { HeldBy } from "../contract/agent/restriction.ts";

const OWN = "the agent's own";

/** What the session asks of its agent. */
export const definitionLines = (definition: AgentDefinition): string[] => {
  const { mode, model, settings, instructions, permissions } = definition;
  const { allowed_tools, disallowed_tools, options = {} } = definition;
  return [
    `Mode: ${mode ?? OWN}`,
    `Model: ${model ?? OWN}`,
    ...Object.entries(options).map(([id, value]) => `Option ${id}: ${value}`),
    `Settings: ${listed(Object.keys(settings ?? {}))}`,
    `Allowed Tools: ${counted(allowed_tools, "all")}`,
    `Disallowed Tools: ${counted(disallowed_tools, "0")}`,
    `Permission Policy: ${policyLine(permissions)}`,
    ...serverLines(withHidden(definition).mcp_servers ?? []),
    ...(instructions === undefined
      ? ["Instructions: none"]
      : ["Instructions:", instructions]),
  ];
};

/** What is in force, as the agent told it. */
export const readyLines = ({
  agent_info,
  opened,
  applied,
}: EventDataOf<"session.agent.ready">): string[] => [
  `Program: ${agent_info === null ? "unknown" : [agent_info.name, agent_info.version].filter((part) => part !== null).join(" ")}`,
  `Session: ${opened ?? "unknown"}`,
  ...(applied === undefined
    ? []
    : [
        `Mode: ${inForce(applied.mode)}`,
        `Model: ${inForce(applied.model)}`,
        `Settings: ${applied.settings === null ? "none" : heldBy(applied.settings)}`,
        `Tool Restrictions: ${applied.tools === null ? "none" : heldBy(applied.tools)}`,
      ]),
];

export const restrictionLines = ({
  allowed,
  disallowed,
  told,
}: ToldRestrictions): string[] => [
  `Allowed Tools: ${allowed ?? "all"}`,
  `Disallowed Tools: ${disallowed}`,
  `Restriction Prompt Injected: ${told}`,
];

const inForce = (it: { value: string; held: HeldBy } | null): string =>
  it === null ? OWN : `${it.value} (${heldBy(it)})`;

const heldBy = ({ held }: { held: HeldBy }): string => `held by ${held}`;

const counted = (tools: readonly string[] | undefined, none: string): string =>
  tools === undefined ? none : `${tools.length} (${tools.join(", ")})`;

const policyLine = (policy: AgentDefinition["permissions"]): string =>
  policy === undefined
    ? "ask"
    : [
        policy.default,
        ...policy.rules.map(({ answer, tool }) => `${answer} ${tool}`),
      ].join("; ");

const serverLines = (servers: readonly McpServer[]): string[] =>
  servers.length === 0
    ? ["MCP Servers: none"]
    : [`MCP Servers: ${servers.length}`, ...servers.map(serverLine)];

const serverLine = (server: McpServer): string => {
  const { name, command, args = [], url, env = {}, headers = {} } = server;
  const target = url ?? [command ?? "", ...args].join(" ");
  const names = [...Object.keys(env), ...Object.keys(headers)];
  return `- ${name}: ${target}${names.length === 0 ? "" : ` (${names.join(", ")}: hidden)`}`;
};

const listed = (names: readonly string[]): string =>
  names.length === 0 ? "none" : names.join(", ");
