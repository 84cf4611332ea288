import type { AgentSession } from "../../contract/link/link-workspace.ts";
import type { State } from "../../session/state/state.ts";
import type { Environment } from "./caller-environments.ts";
import { environmentOf, type LoginDeps } from "./credentials.ts";
import { placeOf } from "../../session/state/place.ts";
import type { Store } from "../ports/store.ts";
import { environmentFor, sentTo } from "./session-environment.ts";

export interface AgentSessionDeps extends LoginDeps {
  store: Store;
}

/** Which agent, how it is launched, and the whole environment it gets: for who its execution was begun for, or who asks. */
export const agentSessionOf = async (
  deps: AgentSessionDeps,
  state: State,
  callerEnv: Environment = callerEnvOf(deps, state),
): Promise<AgentSession> => {
  const { definition, token } = state.agent;
  const { agent, env_from: from } = definition;
  const override = deps.overrides[agent];
  const given = await deps.store.env(state.id);
  const place = placeOf(state);
  const sent = sentTo(deps, place, callerEnv);
  const isGivenPath = "PATH" in { ...override?.env, ...from, ...given };
  const env = environmentFor(deps, { place, agent, caller: sent, from, given });
  const path_from = "PATH" in sent ? "caller" : "server";
  return {
    definition,
    ...(override === undefined ? {} : { override }),
    env,
    ...(isGivenPath || !("PATH" in env) ? {} : { path_from }),
    token,
  };
};

/** Where it is not known any more, nobody else's is taken. */
const callerEnvOf = (deps: AgentSessionDeps, state: State): Environment => {
  const { credentials } = state.execution ?? {};
  const env =
    credentials === undefined
      ? deps.callers.newest(state.id)
      : environmentOf(deps, state, credentials);
  return env ?? {};
};
