/** How a session's agent is to work, a line for each thing that was said about it. */
import type { AgentDefinition } from "../../contract/agent.ts";
import type { PermissionPolicy } from "../../contract/permission.ts";
import type { Usage } from "../../contract/usage.ts";

type Field = readonly [name: string, value: string];

export const definitionFields = (
  definition: AgentDefinition,
  short: (text: string) => string,
): Field[] => {
  const { model, mode, instructions, settings } = definition;
  const files = definition.instruction_files?.map(({ name }) => name) ?? [];
  const servers = definition.mcp_servers?.map(({ name }) => name) ?? [];
  const field = (name: string, value: string): Field[] =>
    value === "" ? [] : [[name, short(value)]];
  return [
    ...field("model", model ?? ""),
    ...field("mode", mode ?? ""),
    ...field("tools", toolWords(definition)),
    ...field("permits", policyWords(definition.permissions)),
    ...field("instructions", instructions ?? ""),
    ...field("it reads", files.join(", ")),
    ...field("settings", Object.keys(settings ?? {}).join(", ")),
    ...field("mcp servers", servers.join(", ")),
  ];
};

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

const policyWords = (policy: PermissionPolicy | undefined): string =>
  policy === undefined
    ? ""
    : [
        policy.default,
        ...policy.rules.map(({ answer, tool }) => `${answer} ${tool}`),
      ].join("; ");

/** Tokens, with what of them went in and what came out where the agent tells them apart. */
export const usageWords = (usage: Usage): string => {
  const { input_tokens, output_tokens, total_tokens } = usage;
  return output_tokens === 0
    ? String(total_tokens)
    : `${total_tokens} (${input_tokens} in, ${output_tokens} out)`;
};
