import type { AgentOverride, CliDialect } from "../../contract/agent.ts";
import type { Agent } from "../agent/agent.ts";
import { claudeAsks } from "../claude/claude-options.ts";
import { cliOptions } from "./cli-options.ts";
import { findProgram } from "../launch/find-program.ts";
import type { Launch } from "../launch/launch.ts";
import { SETTINGS } from "../launch/stream-json-definition.ts";
import { inAdapter } from "../launch/stream-json-program.ts";

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
