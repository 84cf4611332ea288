import type { AgentOverride } from "../contract/agent.ts";
import type { Agent } from "./agent.ts";
import { findProgram } from "./find-program.ts";
import type { Launch } from "./launch.ts";

/**
 * An agent as configuration changes it. Native resume can only be taken away: to grant it, the agent itself must be able.
 * Injection needs nothing from the agent but reading, so configuration has the last word on it.
 */
export const overridden = (agent: Agent, override: AgentOverride): Agent => ({
  ...agent,
  driver: override.driver ?? agent.driver,
  native: agent.native && override.native_session_resume !== false,
  injection: override.history_context_injection ?? agent.injection,
  locate: async (where) => {
    const launch = override.command
      ? await locateCommand(override.command, where.path)
      : await agent.locate(where);
    return launch && { ...launch, env: { ...launch.env, ...override.env } };
  },
});

/** A command as somebody wrote it down: its program must exist and be executable, the rest is theirs. */
export const locateCommand = async (
  [program = "", ...args]: readonly string[],
  path: string,
): Promise<Launch | null> => {
  const found = await findProgram(program, path);
  if (found === null) return null;
  return { argv: [found, ...args], env: {}, version: null, found: "config" };
};
