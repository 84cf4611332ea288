import type {
  AgentOverride,
  CliDialect,
  AgentDefinition,
} from "../../contract/agent/agent.ts";
import type { Agent } from "../agent/agent.ts";
import { claudeAsks } from "../claude/claude-options.ts";
import { findProgram } from "../launch/find-program.ts";
import type { Launch, Where } from "../launch/launch.ts";
import { SETTINGS, definitionMeta } from "../launch/stream-json-definition.ts";
import { ourProgram } from "../launch/our-program.ts";
import { type AgentOptions, limitsOf } from "../agent/agent-options.ts";

/**
 * An agent as configuration changes it. Native resume can only be taken away: to grant it, the agent itself must be able.
 * Injection needs nothing from the agent but reading, so configuration has the last word on it.
 */
export const overridden = (agent: Agent, override: AgentOverride): Agent => {
  const { command, env, asks } = override;
  const driven =
    override.driver === "stream-json"
      ? byItsCli(agent, command, override.dialect)
      : {
          ...agent,
          ...(command && {
            program: command[0],
            locate: commanded(command),
          }),
        };
  return {
    ...driven,
    native: agent.native && override.native_session_resume !== false,
    injection: override.history_context_injection ?? agent.injection,
    ...(asks && { asks: () => asks }),
    locate: async (where) => {
      const launch = await driven.locate(where);
      return launch && { ...launch, env: { ...launch.env, ...env } };
    },
  };
};

/** An agent whose CLI is held instead of what it offers for ACP. Its quirks are those of the other program. */
const byItsCli = (
  agent: Agent,
  command: readonly string[] | undefined,
  dialect = agent.cli?.dialect ?? "claude",
): Agent => ({
  ...withoutOwnMode(agent),
  driver: "stream-json",
  quirks: {},
  options: cliOptions(dialect),
  variables: dialect === "claude" ? { settings: SETTINGS } : {},
  asks: cliAsks[dialect],
  program: command?.[0] ?? agent.cli?.program,
  install: agent.cli?.install ?? null,
  locate: async (where) => {
    const cli = command
      ? await locateCommand(command, where.path)
      : await agent.cli?.locate(where);
    return cli ? inAdapter(dialect, cli, where) : null;
  },
});

/** A CLI follows the person's own configuration by itself. */
const withoutOwnMode = (agent: Agent): Agent => {
  const { ownMode: _, ...others } = agent;
  return others;
};

/** Codex and Amp decide by themselves, and have no way to ask us. */
const cliAsks: Readonly<Record<CliDialect, NonNullable<Agent["asks"]>>> = {
  claude: claudeAsks,
  codex: () => "none",
  amp: () => "none",
};

const commanded =
  (command: readonly string[]): Agent["locate"] =>
  ({ path }) =>
    locateCommand(command, path);

/** A command as somebody wrote it down: its program must exist and be executable, the rest is theirs. */
export const locateCommand = async (
  [program = "", ...args]: readonly string[],
  path: string,
): Promise<Launch | null> => {
  const found = await findProgram(program, path);
  if (found === null) return null;
  return { argv: [found, ...args], env: {}, version: null, found: "config" };
};

/** The same launch with our adapter around the CLI, so that it speaks ACP. */
const inAdapter = (
  dialect: CliDialect,
  cli: Launch,
  where: Where,
): Launch | null => {
  const adapter = ourProgram(
    where,
    "stream-json",
    "../../programs/stream-json/main.ts",
  );
  if (adapter === null) return null;
  const argv = [where.node, adapter, "--dialect", dialect, "--", ...cli.argv];
  return { ...cli, argv };
};

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
