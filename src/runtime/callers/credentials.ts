/** With whose environment an agent is started, and how that is named in the journal (SES-61). */
import type { AgentDefinition } from "../../contract/agent/agent.ts";
import type { SessionId } from "../../contract/base/id.ts";
import type { PlaceRef } from "../../contract/base/place.ts";
import type { State } from "../../session/state/state.ts";
import type { CallerEnvironments, Environment } from "./caller-environments.ts";
import { environmentFor, type EnvironmentDeps } from "./session-environment.ts";

export interface LoginDeps extends EnvironmentDeps {
  /** What those who ask for agents have in theirs comes before it. */
  callers: CallerEnvironments;
  /** The variables that are a login to an agent in this environment. */
  loginVariables: (agent: string, env: Environment) => readonly string[];
}

export interface OfSession {
  id: SessionId;
  agent: { definition: AgentDefinition };
  workspace: { place: PlaceRef };
}

/** What an execution is begun with: the label of its credentials, and the labels of those that it lacks. */
export interface StartedFor {
  env: Environment;
  credentials?: string;
  without?: string[];
}

/**
 * For the first prompt that waits and has credentials; where none has, for who last asked. When the server does not have
 * those credentials any more, nobody else's take their place: the agent is started with the server's own environment.
 */
export const startedFor = (deps: LoginDeps, state: State): StartedFor => {
  const labels = state.prompts.queue.flatMap(
    ({ credentials }) => credentials ?? [],
  );
  const [first] = labels;
  if (first === undefined) {
    const env = deps.callers.newest(state.id) ?? {};
    return { env, ...labelled(deps, state, env) };
  }
  const env = environmentOf(deps, state, first);
  if (env !== undefined) return { env, credentials: first };
  const isMissing = (label: string): boolean =>
    environmentOf(deps, state, label) === undefined;
  const without = [...new Set(labels)].filter(isMissing);
  return { env: {}, ...labelled(deps, state, {}), without };
};

/** Undefined when nobody has asked with these credentials since the server was started. */
export const environmentOf = (
  deps: LoginDeps,
  state: OfSession,
  label: string,
): Environment | undefined => {
  const found = deps.callers.find(state.id, label);
  if (found !== undefined) return found;
  // Somebody who had none was given the server's.
  return labelled(deps, state, {}).credentials === label ? {} : undefined;
};

const labelled = (
  deps: LoginDeps,
  state: OfSession,
  caller_env: Environment,
): { credentials?: string } => {
  const { label } = loginOf(deps, state, caller_env);
  return label === null ? {} : { credentials: label };
};

/**
 * The login variables that the agent would be started with for this caller. Those that the session itself was given are the
 * same for everybody and do not count.
 */
export const loginOf = (
  deps: LoginDeps,
  session: OfSession,
  caller: Environment,
): { label: string | null; isEmpty: boolean } => {
  const { loginVariables, callers } = deps;
  const { agent, env_names, env_from = {} } = session.agent.definition;
  const { place } = session.workspace;
  const env = environmentFor(deps, { place, agent, caller });
  const names = loginVariables(agent, env).filter(
    (name) => !env_names.includes(name) && env_from[name] === undefined,
  );
  const values = Object.fromEntries(
    names.flatMap((name) => {
      const value = env[name] ?? "";
      return value === "" ? [] : [[name, value]];
    }),
  );
  return {
    label: names.length === 0 ? null : callers.label(session.id, values),
    isEmpty: Object.keys(values).length === 0,
  };
};
