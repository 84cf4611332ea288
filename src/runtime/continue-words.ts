/** What an agent is told that is to go on with a turn that was cut short. Never the same text again. */
import type { CutTurn } from "../session/continuation.ts";

/** `prompt`: how the prompt of that turn begins. The agent knows which one is meant where its newest turn was interrupted. */
export const continueWords = (cut: CutTurn, prompt: string): string =>
  `${whatHappened(cut, prompt)} Look at what is already done and continue from there.`;

/** Whether the words name the prompt. */
export const namesPrompt = ({ kind, isNewest, isOwn }: CutTurn): boolean =>
  kind === "uncertain" || !isNewest || !isOwn;

const whatHappened = (cut: CutTurn, prompt: string): string => {
  const { kind, isOwn } = cut;
  if (!namesPrompt(cut)) return "Your previous turn was interrupted.";
  const quoted = prompt === "" ? "a prompt without text" : `“${prompt}”`;
  if (kind === "uncertain")
    return `It is not known whether ${isOwn ? "you" : "the agent before you"} received this prompt: ${quoted}.`;
  return isOwn
    ? `Your turn for an earlier prompt was interrupted: ${quoted}.`
    : `The agent before you was interrupted in its turn for this prompt: ${quoted}.`;
};

const MAX_QUOTED = 200;

/** On one line. */
export const beginningOf = (text: string): string => {
  const line = text
    .slice(0, 4 * MAX_QUOTED)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > MAX_QUOTED
    ? `${line.slice(0, MAX_QUOTED).trimEnd()}…`
    : line;
};
