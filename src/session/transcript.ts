/** History as text, for agents that cannot restore their own session: put before the first prompt after a resume, once. */
import type { Message } from "../contract/message.ts";
import { unreachable } from "../kit/unreachable.ts";

const MESSAGE_CHARACTERS = 2000;
const TOOL_RESULT_CHARACTERS = 500;
/** All of the history together. The oldest messages give way, whole, and the text and the grade say how many (P6). */
const HISTORY_CHARACTERS = 200_000;

/** What an agent is told before a prompt. */
export interface Told {
  text: string;
  /** How many of the oldest messages did not fit. */
  left_out: number;
}

export const resumeContext = (
  history: readonly Message[],
  request: string,
): Told => {
  const entries = history.map(linesOf).filter((lines) => lines.length > 0);
  const left_out = surplus(entries);
  const text = [
    "RESUME CONTEXT FOR CONTINUING TASK",
    "",
    "=== EXECUTION HISTORY ===",
    ...kept(entries, left_out),
    "",
    "=== CURRENT REQUEST ===",
    request,
    "",
    "=== INSTRUCTIONS ===",
    "You are continuing work on the above task...",
    "Do not repeat work that was already completed.",
  ].join("\n");
  return { text, left_out };
};

/** What an agent was at when it was cut off, where its own session does not hold it. */
export const reminder = (history: readonly Message[]): Told => {
  const entries = history.map(linesOf).filter((lines) => lines.length > 0);
  const left_out = surplus(entries);
  const text = [
    "=== CUT OFF BEFORE THIS ===",
    "You were interrupted, and your own record does not hold this. Some of it may have been done: look before you go on.",
    ...kept(entries, left_out),
    "=== END OF WHAT WAS CUT OFF ===",
    "",
  ].join("\n");
  return { text, left_out };
};

const kept = (entries: readonly string[][], left_out: number): string[] => [
  ...(left_out === 0 ? [] : [`[${left_out} earlier messages are left out]`]),
  ...entries.slice(left_out).flat(),
];

/** How many entries at the beginning do not fit: a call goes or stays together with its result. */
const surplus = (entries: readonly string[][]): number => {
  let room = HISTORY_CHARACTERS;
  const last = entries.findLastIndex((lines) => {
    for (const line of lines) room -= line.length + 1;
    return room < 0;
  });
  return last + 1;
};

const linesOf = (message: Message): string[] => {
  switch (message.role) {
    case "user":
      return [`[USER]: ${cut(message.text, MESSAGE_CHARACTERS)}`];
    case "agent":
      return [`[ASSISTANT]: ${cut(message.text, MESSAGE_CHARACTERS)}`];
    case "tool": {
      const name = message.tool?.title ?? message.text;
      const output = message.tool?.output;
      const call = `[TOOL CALL: ${name}]`;
      return output === undefined || output === ""
        ? [call]
        : [
            call,
            `[TOOL RESULT: ${name}] ${cut(output, TOOL_RESULT_CHARACTERS)}`,
          ];
    }
    case "thought":
    case "notice":
      return [];
    default:
      return unreachable(message.role);
  }
};

/** At most this many characters, never half a one. */
export const cut = (text: string, characters: number): string => {
  if (text.length <= characters) return text;
  let end = 0;
  let count = 0;
  for (const character of text) {
    if (count === characters) return text.slice(0, end);
    end += character.length;
    count += 1;
  }
  return text;
};
