import type { AgentOverride, BuiltInAgent } from "../contract/agent/agent.ts";
import type { Agent } from "./agent/agent.ts";
import { amp } from "./others/amp.ts";
import { auggie } from "./others/auggie.ts";
import { claude } from "./claude/claude.ts";
import { codex } from "./codex/codex.ts";
import { configured } from "./others/configured.ts";
import { copilot } from "./copilot/copilot.ts";
import { demo, demoFresh, demoInject } from "./demo/demo.ts";
import { gemini } from "./gemini/gemini.ts";
import { opencode } from "./opencode/opencode.ts";
import { overridden } from "./overrides/overridden.ts";

const builtIn: Readonly<Record<BuiltInAgent, Agent>> = {
  claude,
  codex,
  opencode,
  gemini,
  copilot,
  auggie,
  amp,
  demo,
  "demo-inject": demoInject,
  "demo-fresh": demoFresh,
};
const registered: ReadonlyMap<string, Agent> = new Map(Object.entries(builtIn));

/** The agent of that id as configuration has it; null when neither we nor the configuration know how to launch it. */
export const agentOf = (id: string, override?: AgentOverride): Agent | null => {
  const agent = registered.get(id);
  if (agent) return override ? overridden(agent, override) : agent;
  return override?.command ? configured(id, override.command, override) : null;
};

/** Every agent there is: ours first, then those that only the configuration defines. */
export const knownAgents = (
  overrides: Record<string, AgentOverride>,
): Agent[] =>
  [...new Set([...registered.keys(), ...Object.keys(overrides)])]
    .map((id) =>
      agentOf(id, Object.hasOwn(overrides, id) ? overrides[id] : undefined),
    )
    .filter((agent) => agent !== null);
