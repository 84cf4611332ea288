/** How an agent stands on this machine. */
import type { AgentView } from "../../../src/contract/agent/agent.ts";

export interface AgentWords {
  standing: "ready" | "logged_out" | "missing";
  text: string;
  /** What to run first; null where nothing is missing. */
  command: string | null;
}

export const agentWords = (agent: AgentView): AgentWords => {
  if (!agent.installed)
    return {
      standing: "missing",
      text: "not installed",
      command: agent.install,
    };
  if (agent.login === "no")
    return {
      standing: "logged_out",
      text: "not logged in",
      command: agent.login_command ?? null,
    };
  const facts = [
    ...(agent.version === null ? [] : [agent.version]),
    ...(agent.found === "npx" ? ["fetched by npx at its first start"] : []),
    ...(agent.login === "yes" ? ["logged in"] : []),
    ...(agent.login === "unknown" ? ["login not known"] : []),
    memoryWords(agent),
  ];
  return { standing: "ready", text: facts.join(", "), command: null };
};

export const memoryWords = ({
  native_session_resume,
  history_context_injection,
}: Pick<
  AgentView,
  "native_session_resume" | "history_context_injection"
>): string => {
  if (native_session_resume) return "remembers natively";
  return history_context_injection
    ? "is told its history"
    : "does not remember";
};
