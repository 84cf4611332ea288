import * as z from "zod";
import type { AgentDefinition, CliDialect } from "../../contract/agent.ts";
import { type Given, limitsOf } from "../given.ts";

/** What a CLI is started with in every turn. It travels to the adapter in `_meta`, since ACP has no words for it. */
export interface CliDefinition {
  model: string | null;
  /** The tools that it has; null: all of its own. */
  offered: readonly string[] | null;
  withheld: readonly string[];
  /** The file with its settings. */
  settings: string | null;
}

export const asConfigured: CliDefinition = {
  model: null,
  offered: null,
  withheld: [],
  settings: null,
};

const KEY = "reprise/definition";

/** Names that file: on a command line everybody could read what is in it. */
export const SETTINGS = "REPRISE_CLI_SETTINGS";

/** Which parts of a definition each CLI can be given on its command line. Amp has a configuration of its own for all of it. */
const takes: Readonly<Record<CliDialect, { model: boolean; tools: boolean }>> =
  {
    claude: { model: true, tools: true },
    codex: { model: true, tools: false },
    amp: { model: false, tools: false },
  };

export const cliGiven =
  (dialect: CliDialect) =>
  (definition: AgentDefinition): Given => {
    const { model, tools } = takes[dialect];
    const { offered, withheld, complete } = limitsOf(definition);
    const given: z.infer<typeof Sent> = {
      model: model ? (definition.model ?? null) : null,
      offered: tools ? offered : null,
      withheld: tools ? withheld : [],
    };
    return {
      meta: { [KEY]: given },
      model,
      limits: tools && complete,
      settings: dialect === "claude",
    };
  };

/** As the adapter finds it in a request that opens a session. */
export const definitionIn = (
  meta: unknown,
  env: NodeJS.ProcessEnv,
): CliDefinition => ({
  ...asConfigured,
  ...Meta.safeParse(meta).data?.[KEY],
  settings: env[SETTINGS] ?? null,
});

const Sent = z.object({
  model: z.string().nullable(),
  offered: z.array(z.string()).nullable(),
  withheld: z.array(z.string()),
});

const Meta = z.object({ [KEY]: Sent });
