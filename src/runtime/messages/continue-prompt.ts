/** The prompt that asks an agent to go on with a turn that was cut short. */
import { textOf, type ContentBlock } from "../../contract/base/content.ts";
import type { PromptId } from "../../contract/base/id.ts";
import { cutTurnOf } from "../../session/state/cut-turn.ts";
import type { Agent, State } from "../../session/state/state.ts";
import { asTaken, whyNotTaken } from "../../session/state/taken.ts";
import { beginningOf, continueWords, namesPrompt } from "./continue-words.ts";
import type { Store } from "../ports/store.ts";
import { promptContent } from "./prompt-content.ts";

/** `state`: as it is when the prompt is queued. Null where nothing is left to decide about it. */
export const continuePrompt = async (
  store: Pick<Store, "events">,
  state: State,
  prompt: PromptId,
): Promise<ContentBlock[] | null> => {
  const cut = cutTurnOf(state, prompt);
  if (cut === null) return null;
  const content = namesPrompt(cut)
    ? await promptContent(store, state.id, cut.about_seq)
    : [];
  const text = continueWords(cut, beginningOf(textOf(content)));
  // An agent that may not have received it needs all of it.
  const whole = cut.kind === "uncertain" ? takenBy(state.agent, content) : [];
  return [{ type: "text", text }, ...whole];
};

const takenBy = (
  agent: Agent,
  content: readonly ContentBlock[],
): readonly ContentBlock[] =>
  whyNotTaken(agent, content) === null
    ? content
    : asTaken(agent.abilities, content);
