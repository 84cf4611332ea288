import type { AgentDefinition } from "../../contract/agent/agent.ts";
import {
  partsOfPattern,
  restrictedBy,
} from "../../contract/agent/tool-pattern.ts";

/** What an agent makes of a session's definition by itself. */
export interface AgentOptions {
  /** Goes with every request that opens a session: ACP's place for what only this agent understands. */
  meta: Readonly<Record<string, unknown>>;
  /** It keeps to the limits of its tools: nobody has to tell it. Our answers to its questions hold all the same. */
  limits: boolean;
  /** The session's model is in it. */
  model: boolean;
  /** So are its settings, or they come by a variable. */
  settings: boolean;
}

/** For an agent that only knows what ACP itself can say. */
export const noOptions: AgentOptions = {
  meta: {},
  limits: false,
  model: false,
  settings: false,
};

/** Which variables bring an agent what it cannot be told once it runs. */
export interface DefinitionVariables {
  model?: string;
  /** Names a file that holds them, as JSON. */
  settings?: string;
}

type Tools = Pick<
  AgentDefinition,
  "allowed_tools" | "disallowed_tools" | "permissions"
>;

/** The limits that an agent with a list of tools to offer and one to withhold can keep. */
export interface ToolLimits {
  /** Null: all that it has, or a list that only the policy understands. */
  offered: string[] | null;
  withheld: string[];
  /** Whether that is all that the definition says of tools. */
  complete: boolean;
}

/**
 * Allowed tools become those that there are, not those that nobody is asked about: what is asked is answered by the
 * policy, and stands in the journal. Rules that forbid hold by themselves as long as none before them allows.
 */
export const limitsOf = ({
  allowed_tools,
  disallowed_tools = [],
  permissions,
}: Tools): ToolLimits => {
  const rules = permissions?.rules ?? [];
  const first = rules.findIndex(({ answer }) => answer !== "deny");
  const forbidden = rules.slice(0, first === -1 ? rules.length : first);
  const offered = offeredBy(allowed_tools, rules);
  const isKnown = (tool: string): boolean => isName(restrictedBy(tool).name);
  return {
    offered,
    withheld: [...disallowed_tools, ...forbidden.map(({ tool }) => tool)]
      .filter(isKnown)
      .map(written),
    complete:
      disallowed_tools.every(isKnown) &&
      (allowed_tools === undefined || offered !== null),
  };
};

const offeredBy = (
  allowed: readonly string[] | undefined,
  rules: readonly { tool: string; answer: string }[],
): string[] | null => {
  if (allowed === undefined) return null;
  // A rule may allow, or have asked about, what the list does not name.
  const may = rules.filter(({ answer }) => answer !== "deny");
  const names = [...allowed, ...may.map(({ tool }) => tool)].flatMap(
    (tool) => partsOfPattern(tool)?.name ?? [],
  );
  return names.every(isName) ? [...new Set(names)] : null;
};

/** As the agent understands it: a malformed pattern would be void there. */
const written = (pattern: string): string => {
  const { name, what } = restrictedBy(pattern);
  return what === undefined ? name : `${name}(${what})`;
};

/** A tool's own name, and not one of its kind, or a pattern. */
const isName = (name: string): boolean => /^[A-Z]\w*$|^mcp__[\w-]+$/.test(name);
