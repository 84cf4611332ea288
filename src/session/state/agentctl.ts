/** What a session knows of the agentctl that serves it. */
import type { EventDataOf } from "../../contract/event/event.ts";

/** An agentctl that was reached: who it is, and what it says it can do for the session. */
export type AgentctlFacts = EventDataOf<"session.agentctl_ready">;

export type Agentctl = AgentctlSupport &
  (
    | { status: "starting" }
    | ({ status: "ready" } & AgentctlAddress)
    | { status: "error"; message: string }
  );

/** The process that was reached. */
interface AgentctlAddress {
  url: string;
  port: number | null;
  container_id: string | null;
  pid: AgentctlFacts["pid"];
  build: AgentctlFacts["build"];
}

/** What it, or the one before it, answered when it was probed; null when nobody said. */
interface AgentctlSupport {
  supports_session_resume: boolean | null;
  supports_workspace_only: boolean | null;
}

export type ReadyAgentctl = Extract<Agentctl, { status: "ready" }>;

export const readyAgentctl = (facts: AgentctlFacts): ReadyAgentctl => ({
  status: "ready",
  url: facts.url,
  port: facts.port ?? null,
  container_id: facts.container_id ?? null,
  pid: facts.pid,
  build: facts.build,
  supports_session_resume: facts.supports_session_resume ?? null,
  supports_workspace_only: facts.supports_workspace_only ?? null,
});

/** While none is there, what the one before could do is still the best guess. */
export const supportOf = (before: Agentctl | null): AgentctlSupport => ({
  supports_session_resume: before?.supports_session_resume ?? null,
  supports_workspace_only: before?.supports_workspace_only ?? null,
});
