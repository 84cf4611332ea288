import type { PromptId } from "../../contract/base/id.ts";
import { isQueueHeld } from "./quota/held-queue.ts";
import type { State, UnresolvedPrompt } from "./state.ts";

/** What is true of a turn that the agent is asked to go on with, by whoever decides. */
export interface CutTurn {
  kind: UnresolvedPrompt["kind"];
  /** The event that holds its prompt, or the one that its prompt was to go on with. */
  about_seq: number;
  /** No other turn came after it, nor will one before the agent is asked. */
  isNewest: boolean;
  /** It was a turn of the agent that the session has now. */
  isOwn: boolean;
}

export const cutTurnOf = (state: State, prompt: PromptId): CutTurn | null => {
  const { prompts, turns, agent } = state;
  const { unresolved, queue } = prompts;
  const cut = unresolved.find(({ id }) => id === prompt);
  return cut === undefined
    ? null
    : {
        kind: cut.kind,
        about_seq: cut.about_seq,
        isNewest:
          cut.turn === turns.last && (queue.length === 0 || isQueueHeld(state)),
        isOwn: cut.agent === agent.definition.agent,
      };
};
