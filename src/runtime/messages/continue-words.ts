/** What an agent is told that is to go on with a turn that was cut short. Never the same text again. */
import { fitting } from "../../contract/base/text-limit.ts";
import type { CutTurn } from "../../session/state/cut-turn.ts";

/**
 * `prompt`: how the prompt of that turn begins. The agent knows which one is meant where its newest turn was interrupted. One
 * that it may not have received follows these words.
 */
export const continueWords = (cut: CutTurn, prompt: string): string =>
  `${whatHappened(cut, prompt)} Look at what is already done and continue from there.${cut.kind === "uncertain" ? " The prompt:" : ""}`;

/** Whether the words name the prompt. */
export const namesPrompt = ({ kind, isNewest, isOwn }: CutTurn): boolean =>
  kind === "uncertain" || !isNewest || !isOwn;

const whatHappened = (cut: CutTurn, prompt: string): string => {
  const { kind, isOwn } = cut;
  if (!namesPrompt(cut)) return "Your previous turn was interrupted.";
  if (kind === "uncertain")
    return `It is not known whether ${isOwn ? "you" : "the agent before you"} received the prompt below.`;
  const quoted = prompt === "" ? "a prompt without text" : `“${prompt}”`;
  return isOwn
    ? `Your turn for an earlier prompt was interrupted: ${quoted}.`
    : `The agent before you was interrupted in its turn for this prompt: ${quoted}.`;
};

const MAX_QUOTED = 200;

/** On one line. */
export const beginningOf = (text: string): string => {
  const line = text
    .slice(0, fitting(text, 4 * MAX_QUOTED))
    .replace(/\s+/g, " ")
    .trim();
  const end = fitting(line, MAX_QUOTED);
  return end < line.length ? `${line.slice(0, end).trimEnd()}…` : line;
};
