/** History as text, for agents that cannot restore their own session: put before the first prompt after a resume, once. */
import type { Message } from "../contract/message.ts";
import { unreachable } from "../kit/unreachable.ts";

const MESSAGE_CHARACTERS = 2000;
const TOOL_RESULT_CHARACTERS = 500;
/** All of the history together; the oldest messages give way, and the text says how many. */
const HISTORY_CHARACTERS = 200_000;

export const resumeContext = (
  history: readonly Message[],
  request: string,
): string =>
  [
    "RESUME CONTEXT FOR CONTINUING TASK",
    "",
    "=== EXECUTION HISTORY ===",
    ...historyLines(history),
    "",
    "=== CURRENT REQUEST ===",
    request,
    "",
    "=== INSTRUCTIONS ===",
    "You are continuing work on the above task...",
    "Do not repeat work that was already completed.",
  ].join("\n");

const historyLines = (history: readonly Message[]): string[] => {
  const lines = history.flatMap(linesOf);
  let room = HISTORY_CHARACTERS;
  let first = lines.length;
  while (first > 0) {
    room -= lines[first - 1]?.length ?? 0;
    if (room < 0) break;
    first -= 1;
  }
  const kept = lines.slice(first);
  return first === 0
    ? kept
    : [`[${first} earlier entries are left out]`, ...kept];
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
