/** How the agent of a new session is to work, as it is said on the command line. */
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import * as z from "zod";
import type { PermissionRule } from "../../../contract/agent/permission.ts";
import {
  type CreateSessionInput,
  DefinitionChange,
  type DefinitionChangeInput,
  MAX_JSON_DEPTH,
} from "../../../contract/api/request.ts";
import { isDeeperThan } from "../../../kit/data/json-depth.ts";
import type { CommandInput } from "../../parsing/command.ts";
import { UsageError } from "../../parsing/usage-error.ts";
import type { World } from "../../terminal/world.ts";
import { checkPatterns, toolsIn } from "./tool-lists.ts";

const WHAT_A_TOOL_IS =
  'TOOL is compared with the agent\'s name for the tool (Bash), its kind (read, edit, delete, move, search, execute, think, fetch, other) and, where it has no name, its title (Write a.txt), in any case; * is anything. "Bash(git *)" also looks at the command, the path or the address';

export const definitionOptions = {
  model: { kind: "text", value: "M", help: "the agent's model" },
  mode: { kind: "text", value: "M", help: "the agent's mode" },
  instructions: {
    kind: "text",
    value: "FILE|TEXT",
    help: "what the agent is told besides every prompt",
  },
  settings: {
    kind: "text",
    value: "FILE|JSON",
    help: "the agent's own settings, where it takes some",
  },
  permissions: {
    kind: "text",
    value: "P",
    choices: ["ask", "allow-read", "allow-all"],
    help: "what is answered without asking you; default ask",
  },
  allow: {
    kind: "list",
    value: "TOOL",
    help: `answer yes when the agent asks for it; may be repeated. ${WHAT_A_TOOL_IS}`,
  },
  deny: {
    kind: "list",
    value: "TOOL",
    help: "answer no when the agent asks for it; comes before what is allowed; what it does not ask for goes on; may be repeated. Also compared with the first word of the title where the agent has no name for the tool; Bash is every tool of kind execute",
  },
  "allowed-tools": {
    kind: "list",
    value: "TOOLS",
    help: "the only tools the agent may use, with commas between them",
  },
  "disallowed-tools": {
    kind: "list",
    value: "TOOLS",
    help: "tools the agent may not use, with commas between them",
  },
  "model-fallback": {
    kind: "flag",
    help: "go on with the agent's own model where it does not have the one asked for",
  },
  "advisory-tools": {
    kind: "flag",
    help: "where nobody can hold the agent to the tools it may use, tell it in words and go on",
  },
} as const;

const { instructions: _, ...restrictions } = definitionOptions;

const Droppable = DefinitionChange.shape.without.unwrap().element;

/** What can be changed between two starts of the agent. */
export const changeOptions = {
  ...restrictions,
  permissions: {
    ...restrictions.permissions,
    help: "what is answered without asking you; with --allow or --deny alone: ask. Any of the three replaces all that was said before; without them nothing changes",
  },
  without: {
    kind: "list",
    value: "WHAT",
    help: `do not ask for it any more: ${Droppable.options.join(", ")}; may be repeated`,
  },
} as const;

export const changeOf = async (
  world: Pick<World, "cwd">,
  {
    without,
    ...options
  }: CommandInput<readonly [], typeof changeOptions>["options"],
): Promise<DefinitionChangeInput> => {
  const dropped = without.flatMap((list) => list.split(","));
  return {
    ...(await definitionOf(world, { ...options, instructions: undefined })),
    ...(dropped.length === 0 ? {} : { without: dropped.map(droppable) }),
  };
};

const droppable = (word: string) => {
  const what = Droppable.safeParse(word.trim()).data;
  if (what !== undefined) return what;
  throw new UsageError(
    `--without must be one of ${Droppable.options.join(", ")}, not "${word}".`,
  );
};

type Chosen = CommandInput<readonly [], typeof definitionOptions>["options"];
/** What both a new session and a change take. */
type Definition = Pick<CreateSessionInput, "instructions"> &
  DefinitionChangeInput;

export const definitionOf = async (
  world: Pick<World, "cwd">,
  options: Chosen,
): Promise<Definition> => {
  const { model, mode, instructions, settings } = options;
  const allowed = options["allowed-tools"].flatMap(toolsIn);
  const disallowed = options["disallowed-tools"].flatMap(toolsIn);
  checkPatterns("--allow", options.allow);
  checkPatterns("--deny", options.deny);
  checkPatterns("--allowed-tools", allowed, options["allowed-tools"]);
  checkPatterns("--disallowed-tools", disallowed, options["disallowed-tools"]);
  return {
    ...(model === undefined ? {} : { model }),
    ...(mode === undefined ? {} : { mode }),
    ...(instructions === undefined
      ? {}
      : { instructions: await textOf(world, instructions) }),
    ...(settings === undefined
      ? {}
      : { settings: settingsIn(await textOf(world, settings)) }),
    ...policyOf(options),
    ...(allowed.length === 0 ? {} : { allowed_tools: allowed }),
    ...(disallowed.length === 0 ? {} : { disallowed_tools: disallowed }),
    ...(options["model-fallback"] ? { model_fallback: true } : {}),
    ...(options["advisory-tools"] ? { advisory_tools: true } : {}),
  };
};

const policyOf = ({
  permissions,
  allow,
  deny,
}: Chosen): Pick<CreateSessionInput, "permissions"> => {
  const rules: PermissionRule[] = [
    ...deny.map((tool) => ({ tool, answer: "deny" as const })),
    ...allow.map((tool) => ({ tool, answer: "allow" as const })),
  ];
  if (permissions === undefined && rules.length === 0) return {};
  return { permissions: { default: permissions ?? "ask", rules } };
};

/** A file of that name, or the text itself. */
const textOf = async (
  { cwd }: Pick<World, "cwd">,
  pathOrText: string,
): Promise<string> => {
  const path = resolve(cwd, pathOrText);
  // Too long for a path, or with characters that no path has, it is no file.
  const found = await stat(path).catch(() => null);
  return found?.isFile() === true ? readFile(path, "utf8") : pathOrText;
};

const settingsIn = (text: string): Record<string, unknown> => {
  if (isDeeperThan(Buffer.from(text), MAX_JSON_DEPTH))
    throw new UsageError(
      `The settings nest deeper than ${MAX_JSON_DEPTH} levels; make them flatter.`,
    );
  const settings = Settings.safeParse(parsed(text)).data;
  if (settings !== undefined) return settings;
  throw new UsageError(
    "The settings must be a JSON object, or name a file with one.",
  );
};

const Settings = z.record(z.string(), z.unknown());

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
