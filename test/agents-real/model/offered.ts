/** Agents name their tools and the arguments of them differently; the request says how. */
import type { Property, Tool } from "./conversation.ts";

export interface Call {
  name: string;
  /** Its arguments; plain text for a tool that takes that. */
  input: Record<string, unknown> | string;
}

const shells = [
  "bash",
  "shell",
  "shell_command",
  "exec_command",
  "run_shell_command",
];

export const shellCall = (
  tools: readonly Tool[],
  line: string,
): Call | null => {
  const tool = find(tools, shells);
  return tool && call(tool, { command: line, cmd: line });
};

export const writeCall = (
  tools: readonly Tool[],
  path: string,
  text: string,
): Call | null => {
  const tool = find(tools, ["write", "write_file", "create", "apply_patch"]);
  if (tool === null) return writeByShell(tools, path, text);
  const patch = `*** Begin Patch\n*** Add File: ${path}\n+${text}\n*** End Patch\n`;
  if (tool.properties === null) return { name: tool.name, input: patch };
  return call(tool, {
    file_path: path,
    filePath: path,
    path,
    content: text,
    file_text: text,
    input: patch,
  });
};

/** Programs put a prefix before the names of the tools of their MCP servers. */
export const namedCall = (
  tools: readonly Tool[],
  { name, input }: { name: string; input: string },
  said: string,
): Call | null => {
  const tool = tools.find((each) => each.name.endsWith(`__${name}`));
  if (tool === undefined) return null;
  const session = said.match(/\bses_[0-9a-z]{26}\b/g)?.at(-1) ?? "none";
  return {
    name: tool.name,
    input: JSON.parse(input.replaceAll("$session", session)),
  };
};

/** Codex has no tool for writing with some models; outside its sandbox it asks before it runs a command. */
const writeByShell = (
  tools: readonly Tool[],
  path: string,
  text: string,
): Call | null => {
  const tool = find(tools, shells);
  const line = `printf %s '${text}' > '${path}'`;
  return (
    tool &&
    call(tool, {
      command: line,
      cmd: line,
      sandbox_permissions: "require_escalated",
      justification: `May I write ${path}?`,
    })
  );
};

/** In the order of the names: the first that is offered. */
const find = (tools: readonly Tool[], names: readonly string[]): Tool | null =>
  names
    .map((name) => tools.find((tool) => tool.name.toLowerCase() === name))
    .find((tool) => tool !== undefined) ?? null;

const call = (tool: Tool, known: Record<string, string>): Call => ({
  name: tool.name,
  input: Object.fromEntries(
    Object.entries(tool.properties ?? {})
      .filter(([name]) => name in known || tool.required.includes(name))
      .map(([name, property]) => [name, valueOf(property, known[name])]),
  ),
});

const valueOf = (property: Property, known: string | undefined): unknown => {
  switch ([property.type].flat()[0]) {
    case "array":
      return known === undefined ? [] : ["sh", "-c", known];
    case "boolean":
      return false;
    case "number":
    case "integer":
      return 60;
    default:
      return known ?? "scripted";
  }
};
