import type { State } from "../session/state.ts";
import type { WorldReport } from "../session/world-report.ts";
import type { AgentMeans } from "./agent-session.ts";
import { agentSessionOf } from "./agent-session.ts";
import type { Place } from "./ports.ts";

/** Looks at a session from outside its journal. */
export const look = async (
  means: AgentMeans,
  place: Place,
  state: State,
): Promise<WorldReport> => {
  const { alive, ...seen } = await place.workspaces.look({
    session_id: state.id,
    execution_id: state.execution?.id ?? state.last_execution_id,
    cwd: state.cwd,
    agent: await agentSessionOf(means, state),
  });
  return { ...seen, agent: alive ? "alive" : "gone" };
};
