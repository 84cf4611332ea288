/**
 * How an agent is asked for its own session. One rule, used twice: by the server when it decides about a resume, with what
 * the journal knows; and by agentctl once it has looked at the agent's files and has heard the handshake.
 */
import * as z from "zod";
import type { Abilities } from "./agent.ts";

/** Why the agent's own session was not asked for, or could not be had. */
export const OpenFailure = z.object({
  reason: z
    .enum([
      "unknown_session",
      "transcript_damaged",
      "not_verified",
      "not_supported",
      "agent_error",
    ])
    .catch("agent_error"),
  message: z.string(),
});
export type OpenFailure = z.infer<typeof OpenFailure>;

/** What was added to the system prompt of an agent: the text, and whether the limits of its tools are told in it. */
export const SystemPrompt = z.object({
  text: z.string(),
  restrictions: z.boolean(),
});
export type SystemPrompt = z.infer<typeof SystemPrompt>;

/** The agent's own session file against what was recorded of it. */
export type TranscriptState = "intact" | "damaged" | "missing" | "unrecorded";

export interface OpeningFacts {
  /** What the agent calls its session; null when there is none to ask for. */
  token: string | null;
  abilities: Pick<Abilities, "resume" | "load">;
  transcript: TranscriptState;
  /** Why it must not be asked for, whatever the agent can do. */
  barred?: string | undefined;
}

export type Opening =
  | { kind: "native"; token: string; by: "resume" | "load" }
  /** `failed`: there is a session, and this is why it is not asked for. */
  | { kind: "new"; failed: OpenFailure | null };

export const openingOf = (facts: OpeningFacts): Opening => {
  const { token, abilities, transcript } = facts;
  if (token === null) return { kind: "new", failed: null };
  const failed = whyNotNative(facts);
  if (failed !== null) return { kind: "new", failed };
  // `resume` is quicker, but only a load with its replay can be verified when nothing was recorded of the agent's file.
  const byLoad =
    !abilities.resume || (transcript === "unrecorded" && abilities.load);
  return { kind: "native", token, by: byLoad ? "load" : "resume" };
};

const whyNotNative = ({
  abilities,
  transcript,
  barred,
}: OpeningFacts): OpenFailure | null => {
  if (barred !== undefined) return { reason: "agent_error", message: barred };
  if (!abilities.resume && !abilities.load)
    return {
      reason: "not_supported",
      message: "the agent does not resume its sessions",
    };
  if (transcript === "damaged")
    return {
      reason: "transcript_damaged",
      message: "the agent's own session file is not the recorded one",
    };
  if (transcript === "missing")
    return {
      reason: "transcript_damaged",
      message: "the agent's own session file is gone",
    };
  return null;
};
