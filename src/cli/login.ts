import type { AgentView } from "../contract/agent.ts";
import { keyVariables } from "../contract/login-variables.ts";
import { callerEnv } from "./caller-env.ts";
import { oneLine } from "./sanitize.ts";
import type { World } from "./world.ts";

/** Agents start with the environment of who asks, so a key in this terminal is a login, whatever the server's own environment holds. */
export const withOwnLogins = async (
  agents: readonly AgentView[],
  world: Pick<World, "env" | "cwd">,
): Promise<AgentView[]> => {
  const { caller_env = {} } = await callerEnv(world);
  return agents.map((agent) =>
    (agent.login_variables ?? []).some((name) => caller_env[name])
      ? { ...agent, login: "yes" }
      : agent,
  );
};

/** What to do where nobody has logged in: a command, and the variables that will do instead. Null where nothing is known. */
export const howToLogIn = ({
  login_command = null,
  login_variables = [],
}: AgentView): { command: string; variables: string } | null => {
  if (login_command === null) return null;
  const keys = keyVariables(login_variables);
  return {
    command: oneLine(login_command),
    variables: keys.length === 0 ? "" : `set ${oneLine(keys.join(" or "))}`,
  };
};
