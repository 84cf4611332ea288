import type { AgentOverride } from "../contract/agent.ts";
import { within } from "../kit/deadline.ts";
import type { WorldReport } from "../session/plan.ts";
import type { State } from "../session/state.ts";
import type { Places } from "./places.ts";
import type { Place } from "./ports.ts";

interface Means {
  overrides: Readonly<Record<string, AgentOverride>>;
}

/** Looks at a session from outside its journal. */
export const look = async (
  { overrides }: Means,
  place: Place,
  state: State,
): Promise<WorldReport> => {
  const ended = state.execution === null ? state.last_execution_id : null;
  const [workspace, agents, executions, survivors] = await Promise.all([
    place.workspace(state.cwd),
    place.agents({ ...overrides }),
    place.executions(),
    ended === null ? [] : place.survivors(ended),
  ]);
  const mine = executions.find(
    ({ execution_id }) => execution_id === state.execution?.id,
  );
  return {
    workspace,
    survivors,
    installed: agents.some(
      ({ id, installed }) => id === state.definition.agent && installed,
    ),
    agent: mine?.alive === true ? "alive" : "gone",
  };
};

const GLANCE_MS = 2000;

/** The same, but when agentctl does not answer soon that is what is seen. */
export const glance = async (
  means: Means & { places: Places },
  state: State,
): Promise<WorldReport> => {
  try {
    return await within(
      "looking at a session",
      GLANCE_MS,
      means.places
        .obtain(state.executor)
        .then((place) => look(means, place, state)),
    );
  } catch {
    return {
      agent: "unknown",
      workspace: "directory",
      installed: true,
      survivors: [],
    };
  }
};
