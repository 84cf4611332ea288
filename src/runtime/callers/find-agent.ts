import type {
  Abilities,
  AgentId,
  AgentView,
} from "../../contract/agent/agent.ts";
import type { PlaceRef } from "../../contract/base/place.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { CreateSessionRequest } from "../../contract/api/request.ts";
import { nearest } from "../../kit/data/nearest.ts";
import type { Place } from "../ports/executors.ts";
import { environmentFor, type EnvironmentDeps } from "./session-environment.ts";

interface Sought extends Pick<
  CreateSessionRequest,
  "cwd" | "env" | "caller_env"
> {
  agent: AgentId;
  at: PlaceRef;
  /** The variables that its profile names. */
  env_from?: Readonly<Record<string, string>> | undefined;
}

/** An agent that can be started here, looked for with the environment that it would get. */
export const findAgent = async (
  deps: EnvironmentDeps,
  place: Place,
  { agent: id, at, cwd, env: given, caller_env: caller, env_from }: Sought,
): Promise<AgentView> => {
  const overrides = { ...deps.overrides };
  const env = environmentFor(deps, {
    place: at,
    agent: id,
    caller,
    from: env_from,
    given,
  });
  const only = { id, ...(cwd !== undefined && { cwd }) };
  const [agent] = await place.agents({ overrides, only, env });
  if (agent === undefined) {
    const all = await place.agents({ overrides, env });
    const known = all.map((each) => each.id);
    const meant = nearest(id, known);
    throw new RepriseError(
      "unknown_agent",
      `There is no agent ${id}.${meant === undefined ? "" : ` Did you mean ${meant}?`} Known here: ${known.join(", ")}. Others can be defined in config.json.`,
    );
  }
  if (!agent.installed) {
    const program = agent.missing ?? deps.overrides[id]?.command?.[0] ?? id;
    const advice =
      agent.install === null
        ? "Check its command in config.json."
        : `Install it with: ${agent.install}`;
    throw new RepriseError(
      "agent_not_installed",
      `The agent ${id} is not installed: ${program} was not found. ${advice}`,
    );
  }
  return agent;
};

/** What is presumed of an agent until its handshake tells. */
export const presumed = (agent: AgentView): Abilities => ({
  resume: agent.native_session_resume,
  load: agent.native_session_resume,
  close: false,
  injection: agent.history_context_injection,
  images: false,
});
