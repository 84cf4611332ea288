import { isBuiltIn } from "../../contract/agent/agent.ts";
import { placeOf } from "../../session/state/place.ts";
import type { State } from "../../session/state/state.ts";
import type { WorldReport } from "../../session/state/world-report.ts";
import type { AgentSessionDeps } from "../callers/agent-session.ts";
import { agentSessionOf } from "../callers/agent-session.ts";
import type { Environment } from "../callers/caller-environments.ts";
import { isLinkLost } from "../failures/link-lost.ts";
import type { Places } from "./places.ts";
import type { Place } from "../ports/executors.ts";

/** Looks at a session from outside its journal. */
export const look = async (
  deps: AgentSessionDeps,
  place: Place,
  state: State,
  callerEnv?: Environment,
): Promise<WorldReport> => {
  const { alive, ...seen } = await place.workspaces.look({
    session_id: state.id,
    execution_id: state.execution?.id ?? state.executions_so_far.last_ended_id,
    cwd: state.workspace.cwd,
    agent: await agentSessionOf(deps, state, callerEnv),
  });
  const { agent } = state.agent.definition;
  const { command } = deps.overrides[agent] ?? {};
  const defined = isBuiltIn(agent) || command !== undefined;
  return { ...seen, defined, agent: alive ? "alive" : "gone" };
};

/** The same for start-up. Null when agentctl went away meanwhile: whoever starts the agent looks again. */
export const lookIfThere = async (
  deps: AgentSessionDeps & { places: Places },
  state: State,
): Promise<WorldReport | null> => {
  try {
    return await look(deps, await deps.places.obtain(placeOf(state)), state);
  } catch (error) {
    if (isLinkLost(error)) return null;
    throw error;
  }
};
