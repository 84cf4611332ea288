import * as z from "zod";

/** What a CLI is started with in every turn. It travels to the adapter in `_meta`, since ACP has no field for it. */
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

/** As it is sent. */
export const definitionMeta = (
  sent: z.infer<typeof Sent>,
): Readonly<Record<string, unknown>> => ({ [KEY]: sent });

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
