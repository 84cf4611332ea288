import { within } from "../kit/deadline.ts";
import type { WorldReport } from "../session/plan.ts";
import type { State } from "../session/state.ts";
import type { AgentMeans } from "./agent-session.ts";
import { agentSessionOf } from "./agent-session.ts";
import type { Places } from "./places.ts";
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

const GLANCE_MS = 2000;

/** The same, but when agentctl does not answer soon that is what is seen. */
export const glance = async (
  means: AgentMeans & { places: Places },
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
      transcript: "present",
      survivors: [],
    };
  }
};
