import * as z from "zod";
import { AgentId } from "./agent.ts";

const HANDOFF = "handoff:";
const MAX_AGENTS = 20;

/**
 * What a session does when its agent's quota is used up: waits for a person, goes on when the quota is filled again, or
 * is handed to the next of these agents until then (`handoff:codex,gemini`).
 */
export const OnQuota = z.string().superRefine((text, context) => {
  const fault = faultIn(text);
  if (fault !== null) context.addIssue({ code: "custom", message: fault });
});
export type OnQuota = z.infer<typeof OnQuota>;

const faultIn = (text: string): string | null => {
  if (text === "wait" || text === "continue") return null;
  const agents = agentsOf(text);
  if (agents === null)
    return "must be wait, continue or handoff: and the names of agents with commas between them, as in handoff:codex,gemini";
  const wrong = agents.find((agent) => !AgentId.safeParse(agent).success);
  if (wrong !== undefined)
    return wrong === ""
      ? "names no agent where one should be, as in handoff:codex,gemini"
      : `${JSON.stringify(wrong)} is no name of an agent: lower-case letters, digits and dashes`;
  if (new Set(agents).size < agents.length) return "names an agent twice";
  return agents.length > MAX_AGENTS
    ? `names more than ${MAX_AGENTS} agents`
    : null;
};

/** The agents that stand in, in the order in which they are tried; null where none does. */
export const agentsOf = (onQuota: OnQuota): AgentId[] | null =>
  onQuota.startsWith(HANDOFF) ? onQuota.slice(HANDOFF.length).split(",") : null;
