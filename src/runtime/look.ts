import type { AgentOverride } from "../contract/agent.ts";
import type { WorldReport } from "../session/resume.ts";
import type { State } from "../session/state.ts";
import type { Place } from "./ports.ts";

/** Looks at a session from outside its journal. */
export const look = async (
  means: { overrides: Readonly<Record<string, AgentOverride>> },
  place: Place,
  state: State,
): Promise<WorldReport> => {
  const [workspace, agents, executions] = await Promise.all([
    place.workspace(state.cwd),
    place.agents({ ...means.overrides }),
    place.executions(),
  ]);
  const mine = executions.find(
    ({ execution_id }) => execution_id === state.execution?.id,
  );
  return {
    workspace,
    installed: agents.some(
      ({ id, installed }) => id === state.definition.agent && installed,
    ),
    agent: mine?.alive === true ? "alive" : "gone",
  };
};
