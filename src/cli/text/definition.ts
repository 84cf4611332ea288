/** How a session's agent is to work, a line for each thing that was said about it. */
import type { AgentDefinition } from "../../contract/agent/agent.ts";
import type { PermissionPolicy } from "../../contract/agent/permission.ts";
import type { Applied, HeldBy } from "../../contract/agent/restriction.ts";
import type { Session } from "../../contract/session/session.ts";

type Field = readonly [name: string, value: string];

export const definitionFields = (
  {
    definition,
    applied,
    at_next_start,
  }: Pick<Session, "definition" | "applied" | "at_next_start">,
  short: (text: string) => string,
): Field[] => {
  const { instructions } = definition;
  const files = definition.instruction_files?.map(({ name }) => name) ?? [];
  const servers = definition.mcp_servers?.map(({ name }) => name) ?? [];
  const field = (name: string, value: string): Field[] =>
    value === "" ? [] : [[name, short(value)]];
  return [
    ...field("model", valueWords("model", definition, applied)),
    ...field("mode", valueWords("mode", definition, applied)),
    ...field("options", optionWords(definition)),
    ...field(
      "next start",
      at_next_start.length === 0
        ? ""
        : `${at_next_start.join(", ")}: as asked for; the agent that runs cannot be told`,
    ),
    ...field("tools", heldWords("tools", toolWords(definition), applied)),
    ...field("permits", policyWords(definition.permissions)),
    ...field("sandbox", sandboxWords(definition)),
    ...field("instructions", instructions ?? ""),
    ...field("it reads", files.join(", ")),
    ...field(
      "settings",
      heldWords("settings", settingWords(definition), applied),
    ),
    ...field("mcp servers", servers.join(", ")),
  ];
};

/** A mode or a model as it is in force, and what was asked for where that is something else. */
const valueWords = (
  what: "mode" | "model",
  { [what]: asked }: AgentDefinition,
  applied: Applied | null,
): string => {
  const { value = null, held = "agent" } = applied?.[what] ?? {};
  if (value === null)
    return asked === undefined
      ? ""
      : `${asked}, asked for${applied === null ? "" : ", not in force"}`;
  if (asked === undefined) return value;
  const other = asked === value ? "" : `; ${asked} was asked for`;
  return `${value}, ${heldBy[held]}${other}`;
};

const sandboxWords = ({ sandbox }: AgentDefinition): string =>
  sandbox === undefined
    ? ""
    : `network ${[sandbox.network, ...(sandbox.hosts ?? [])].join(" ")}`;

const optionWords = ({ options = {} }: AgentDefinition): string =>
  Object.entries(options)
    .map(([id, value]) => `${id}=${value}`)
    .join(", ");

const heldWords = (
  what: "settings" | "tools",
  words: string,
  applied: Applied | null,
): string => {
  if (words === "") return "";
  const held = applied?.[what]?.held;
  return `${words}, ${held === undefined ? "asked for" : heldBy[held]}`;
};

const heldBy: Readonly<Record<HeldBy, string>> = {
  agent: "held by the agent",
  answers: "held by our answers",
  words: "asked, not enforced",
};

const settingWords = ({ settings }: AgentDefinition): string =>
  Object.keys(settings ?? {}).join(", ");

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
