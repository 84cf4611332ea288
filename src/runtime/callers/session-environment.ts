/** Which environment the agent of a session gets: the one place that decides it. */
import type { AgentOverride } from "../../contract/agent/agent.ts";
import { isLocal, type PlaceRef } from "../../contract/base/place.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Environment } from "./caller-environments.ts";

export interface EnvironmentDeps {
  overrides: Readonly<Record<string, AgentOverride>>;
  /** What every agent on this machine starts from. */
  agentEnv: Environment;
  /** Which variables were named to go to other hosts, too. */
  isNamed: (variable: string) => boolean;
  /** A variable of the server's own environment, for profiles that name it. */
  serverVariable: (name: string) => string | undefined;
}

export interface EnvironmentOrder {
  place: PlaceRef;
  /** Without one, of any agent. */
  agent?: string | undefined;
  /** Of who asks for it. */
  caller?: Environment | undefined;
  /** The variables that its profile names, by their names in the server's environment. */
  from?: Environment | undefined;
  /** What the session was given. */
  given?: Environment | undefined;
}

/** Whatever comes later wins (SES-61, SES-212). */
export const environmentFor = (
  deps: EnvironmentDeps,
  { place, agent, caller, from, given }: EnvironmentOrder,
): Environment => ({
  ...sentTo(deps, place, deps.agentEnv),
  ...sentTo(deps, place, caller),
  ...(agent === undefined ? {} : deps.overrides[agent]?.env),
  ...fromServer(deps, from),
  ...given,
});

/**
 * What goes to a place of the server's environment, or of that of who asks. On this machine that is everything. On another host
 * agentctl has an environment of its own: nothing of ours goes there but what somebody named for that (EXE-9).
 */
export const sentTo = (
  { isNamed }: Pick<EnvironmentDeps, "isNamed">,
  place: PlaceRef,
  env: Environment = {},
): Environment =>
  isLocal(place)
    ? env
    : Object.fromEntries(Object.entries(env).filter(([name]) => isNamed(name)));

/** Those that are set. */
const fromServer = (
  { serverVariable }: EnvironmentDeps,
  from: Environment = {},
): Environment =>
  Object.fromEntries(
    Object.entries(from).flatMap(([name, source]) => {
      const value = serverVariable(source);
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** An agent without a variable that its profile names would work with other credentials than it should. */
export const requireVariables = (
  { serverVariable }: EnvironmentDeps,
  {
    profile,
    env_from = {},
  }: { profile?: string | undefined; env_from?: Environment | undefined },
): void => {
  const missing = [...new Set(Object.values(env_from))].filter(
    (name) => serverVariable(name) === undefined,
  );
  if (missing.length === 0) return;
  throw new RepriseError(
    "variable_missing",
    `The profile ${profile ?? "of this session"} takes ${missing.join(", ")} from the environment of the server, where ${missing.length === 1 ? "it is" : "they are"} not set. Restart the server with ${missing.length === 1 ? "it" : "them"}.`,
  );
};
