import type { Abilities, AgentView } from "../../contract/agent/agent.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { CreateSessionRequest } from "../../contract/api/request.ts";
import { nearest } from "../../kit/data/nearest.ts";
import type { Place } from "../ports/executors.ts";
import type { PlaceRef } from "../../contract/base/place.ts";
import type { LoginDeps } from "./credentials.ts";
import {
  callerEnvAt,
  type EnvironmentDeps,
  serverEnvAt,
} from "./place-environment.ts";

type Sought = Pick<
  CreateSessionRequest,
  "agent" | "cwd" | "env" | "caller_env"
>;

/** An agent that can be started here, looked for with the environment that it would get. */
export const findAgent = async (
  deps: Pick<LoginDeps, "overrides" | keyof EnvironmentDeps>,
  { at, place }: { at: PlaceRef; place: Place },
  { agent: id, cwd, env: given, caller_env = {} }: Sought,
): Promise<AgentView> => {
  const overrides = { ...deps.overrides };
  const env = {
    ...serverEnvAt(deps, at),
    ...callerEnvAt(deps, at, caller_env),
    ...overrides[id]?.env,
    ...given,
  };
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
