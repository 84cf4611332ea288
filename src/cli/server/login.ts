import type { Client } from "../../client/client.ts";
import type { AgentView } from "../../contract/agent/agent.ts";
import type { ProfileView } from "../../contract/agent/profile-view.ts";
import { keyVariables } from "../../contract/agent/login-variables.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { AgentsQuery } from "../../contract/api/request.ts";
import { callerEnv } from "../../local/caller-env.ts";
import { oneLine } from "../terminal/sanitize.ts";
import type { World } from "../terminal/world.ts";

type Here = Pick<World, "env" | "cwd">;

/** The agents as a session would find them that is started from this terminal: on its PATH, in its directory, with its keys. */
export const agentsHere = async (
  client: Pick<Client, "call">,
  world: Here,
): Promise<{ agents: AgentView[]; profiles: ProfileView[] }> => {
  const { caller_env } = await callerEnv(world);
  const path = caller_env?.["PATH"];
  const query: AgentsQuery =
    caller_env === undefined
      ? {}
      : { cwd: world.cwd, ...(isShort(path) && { path }) };
  const { agents, profiles = [] } = await client
    .call("listAgents", { query })
    .catch((error: unknown) => {
      // A server of an earlier release takes no query.
      if (error instanceof RepriseError && error.code === "invalid_request")
        return client.call("listAgents", {});
      throw error;
    });
  return { agents: await withOwnLogins(agents, world), profiles };
};

/** It travels in the address of the request, which has a limit. */
const isShort = (path: string | undefined): path is string =>
  path !== undefined && path !== "" && encodeURIComponent(path).length < 8000;

/** Agents start with the environment of who asks, so a key in this terminal is a login, whatever the server's own environment holds. */
export const withOwnLogins = async (
  agents: readonly AgentView[],
  world: Here,
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
