import type { AgentDefinition, CliDialect } from "../../contract/agent.ts";
import { type AgentOptions, limitsOf } from "../agent/agent-options.ts";
import { definitionMeta } from "../launch/stream-json-definition.ts";

/** Which parts of a definition each CLI can be given on its command line. Amp has a configuration of its own for all of it. */
const takes: Readonly<Record<CliDialect, { model: boolean; tools: boolean }>> =
  {
    claude: { model: true, tools: true },
    codex: { model: true, tools: false },
    amp: { model: false, tools: false },
  };

export const cliOptions =
  (dialect: CliDialect) =>
  (definition: AgentDefinition): AgentOptions => {
    const { model, tools } = takes[dialect];
    const { offered, withheld, complete } = limitsOf(definition);
    return {
      meta: definitionMeta({
        model: model ? (definition.model ?? null) : null,
        offered: tools ? offered : null,
        withheld: tools ? withheld : [],
      }),
      model,
      limits: tools && complete,
      settings: dialect === "claude",
    };
  };
