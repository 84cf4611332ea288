/** Why a turn was cut off. */
import {
  describeEnding,
  type Ending,
} from "../../../src/contract/session/ending.ts";
import type { InterruptionCode } from "../../../src/contract/session/interruption.ts";
import type { UnresolvedPrompt } from "../../../src/contract/session/prompt.ts";

/** `the agent was killed by SIGKILL`. `seen`: the ending that the line tells, where the prompt does not. */
export const cutWords = (
  { why }: Pick<UnresolvedPrompt, "why">,
  seen: Ending | null = null,
): string => {
  const ending = why?.ending ?? seen;
  return ending === null
    ? causes[why?.code ?? "agent_died"]
    : `the agent ${describeEnding(ending)}`;
};

const causes: Readonly<Record<InterruptionCode, string>> = {
  paused: "the session was paused",
  agent_died: "the agent died",
  agent_stopped: "the agent was stopped",
  session_ended: "the session ended",
  quota: "the quota was used up",
  moved: "the session was moved to another home",
};
