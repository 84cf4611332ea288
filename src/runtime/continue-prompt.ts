/** The prompt that asks an agent to go on with a turn that was cut short. */
import type { ContentBlock } from "../contract/content.ts";
import type { PromptId } from "../contract/id.ts";
import { cutTurnOf } from "../session/continuation.ts";
import type { State } from "../session/state.ts";
import { beginningOf, continueWords, namesPrompt } from "./continue-words.ts";
import { eventsOf } from "./journal-reader.ts";
import type { Store } from "./ports.ts";

/** `state`: as it is when the prompt is queued. Null where nothing is left to decide about it. */
export const continuePrompt = async (
  store: Store,
  state: State,
  prompt: PromptId,
): Promise<ContentBlock[] | null> => {
  const cut = cutTurnOf(state, prompt);
  if (cut === null) return null;
  const began = namesPrompt(cut)
    ? await beginning(store, state.id, prompt)
    : "";
  return [{ type: "text", text: continueWords(cut, began) }];
};

/** How a prompt begins. One that asked to go on with another stands for that one. */
const beginning = async (
  store: Store,
  session: State["id"],
  prompt: PromptId,
): Promise<string> => {
  const begins = new Map<PromptId, string>();
  for await (const { type, data } of eventsOf(store, session)) {
    if (type === "session.prompt.resolved" && data.by !== null)
      begins.set(data.by, begins.get(data.prompt_id) ?? "");
    if (type !== "session.prompt.queued") continue;
    if (!begins.has(data.prompt_id))
      begins.set(data.prompt_id, beginningOf(data.text));
    if (data.prompt_id === prompt) break;
  }
  return begins.get(prompt) ?? "";
};
