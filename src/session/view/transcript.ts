/** History as text, for agents that cannot restore their own session: put before the first prompt after a resume, once. */
import type { Message, MessageRole } from "../../contract/session/message.ts";
import { unreachable } from "../../kit/unreachable.ts";

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

/** What is told of a conversation: lines of the newest messages, oldest first, and how many others there are. */
export interface History {
  entries: readonly (readonly string[])[];
  left_out: number;
}

/** Takes messages from the newest to the oldest, until no more fits. A call goes or stays together with its result. */
export class HistoryWindow {
  #room = HISTORY_CHARACTERS;
  #entries: (readonly string[])[] = [];

  /** False when there was no room for it: neither is there for older ones. */
  add(message: Message): boolean {
    const lines = linesOf(message);
    for (const line of lines) this.#room -= line.length + 1;
    if (this.#room < 0) return false;
    if (lines.length > 0) this.#entries.push(lines);
    return true;
  }

  /** `left_out`: how many of the messages that belong to the history were not taken. */
  history(left_out: number): History {
    return { entries: this.#entries.toReversed(), left_out };
  }
}

/** Whether a message is told at all. Text that goes on with another message's is beyond what is told of that. */
export const isToldOf = ({
  role,
  continues,
}: {
  role: MessageRole;
  continues: boolean;
}): boolean => !continues && role !== "thought" && role !== "notice";

export const resumeContext = (history: History, request: string): Told => ({
  text: [
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
  ].join("\n"),
  left_out: history.left_out,
});

/** What an agent was at when it was cut off, where its own session does not hold it. */
export const reminder = (history: History): Told => ({
  text: [
    "=== CUT OFF BEFORE THIS ===",
    "You were interrupted, and your own record does not hold this. Some of it may have been done: look before you go on.",
    ...historyLines(history),
    "=== END OF WHAT WAS CUT OFF ===",
    "",
  ].join("\n"),
  left_out: history.left_out,
});

const historyLines = ({ entries, left_out }: History): string[] => [
  ...(left_out === 0 ? [] : [`[${left_out} earlier messages are left out]`]),
  ...entries.flat(),
];

const linesOf = (message: Message): string[] => {
  const { role, continues } = message;
  if (!isToldOf({ role, continues: continues !== undefined })) return [];
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
