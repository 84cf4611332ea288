import type { AgentOverride } from "../contract/agent.ts";
import type { AgentSession } from "../contract/link-workspace.ts";
import type { State } from "../session/state.ts";
import type { Caller, CallerEnvironments } from "./caller-environments.ts";
import type { Store } from "./ports.ts";

export interface AgentMeans {
  store: Store;
  overrides: Readonly<Record<string, AgentOverride>>;
  /** The environment every agent starts from. */
  agentEnv: Readonly<Record<string, string>>;
  /** What those who ask for agents have in theirs comes before it. */
  callers: CallerEnvironments;
  /** The variables that are a login to an agent. */
  loginVariables: (agent: string) => readonly string[];
}

/** Which agent, how it is launched, and the whole environment it gets: for who its execution was begun for, or who asks. */
export const agentSessionOf = async (
  { store, overrides, agentEnv, callers }: AgentMeans,
  { id, definition, token, execution }: State,
  caller: Caller = callers.of(id, execution?.credentials),
): Promise<AgentSession> => {
  const override = overrides[definition.agent];
  return {
    definition,
    ...(override === undefined ? {} : { override }),
    env: {
      ...agentEnv,
      ...caller.env,
      ...override?.env,
      ...(await store.env(id)),
    },
    token,
  };
};
