/** What a session knows of the agentctl that serves it. */
import type { EventDataOf } from "../../contract/event.ts";
import type { Agentctl, State } from "./state.ts";

/** An agentctl that was reached: who it is, and what it says it can do for the session. */
export type AgentctlFacts = EventDataOf<"session.agentctl_ready">;

export const readyAgentctl = (facts: AgentctlFacts): Agentctl => ({
  status: "ready",
  url: facts.url,
  port: facts.port ?? null,
  container_id: facts.container_id ?? null,
  pid: facts.pid,
  build: facts.build,
  message: null,
  supports_session_resume: facts.supports_session_resume ?? null,
  supports_workspace_only: facts.supports_workspace_only ?? null,
});

/** The place of an execution whose agentctl did not tell its id before is the one that tells it now. */
export const reachedAgentctl = (state: State, facts: AgentctlFacts): State => {
  const { execution } = state;
  const place_id = execution?.place_id ?? facts.place_id ?? null;
  return {
    ...state,
    agentctl: readyAgentctl(facts),
    execution: execution && { ...execution, place_id },
  };
};

/** None is there: it is being reached, or cannot be had. What the one before could do is still the best guess. */
export const awayAgentctl = (
  { agentctl }: Pick<State, "agentctl">,
  status: "starting" | "error",
  message: string | null,
): Agentctl => ({
  status,
  url: null,
  port: null,
  container_id: null,
  pid: null,
  build: null,
  message,
  supports_session_resume: agentctl?.supports_session_resume ?? null,
  supports_workspace_only: agentctl?.supports_workspace_only ?? null,
});
