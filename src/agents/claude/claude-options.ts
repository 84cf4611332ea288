import type { AgentDefinition, Asks } from "../../contract/agent/agent.ts";
import { type AgentOptions, limitsOf } from "../agent/agent-options.ts";

/** What Claude's ACP agent hands on to Claude Code: `_meta.claudeCode.options`. */
export const claudeOptions = (definition: AgentDefinition): AgentOptions => {
  const { offered, withheld, complete } = limitsOf(definition);
  const { settings } = definition;
  const options = {
    ...(offered === null ? {} : { tools: offered }),
    ...(withheld.length === 0 ? {} : { disallowedTools: withheld }),
    ...(settings === undefined ? {} : { settings }),
  };
  const isEmpty = Object.keys(options).length === 0;
  return {
    meta: isEmpty ? {} : { claudeCode: { options } },
    limits: complete,
    model: false,
    settings: true,
  };
};

/** In these modes it runs every tool, or has a model decide. */
const UNASKED = new Set(["bypassPermissions", "auto"]);

export const claudeAsks = (mode: string | null): Asks =>
  mode !== null && UNASKED.has(mode) ? "none" : "some";
