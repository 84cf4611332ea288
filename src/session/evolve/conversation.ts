/** What the agent says and does. */
import { fitting } from "../../contract/base/text-limit.ts";
import type { EventDataOf, EventOf } from "../../contract/event/event.ts";
import { MARK_PROMPT } from "../../contract/session/line.ts";
import type { Message } from "../../contract/session/message.ts";
import { unreachable } from "../../kit/unreachable.ts";
import type { OpenMessage, Output, State } from "../state/state.ts";
import { followCall, tellCall, type ToolCalls } from "../state/tool-calls.ts";
import { active } from "./lifecycle.ts";
import { begun, withToolCall } from "./turn.ts";

export const said = (
  state: State,
  event: EventOf<
    "session.message.added" | "session.message.updated" | "session.tool.updated"
  >,
): State => {
  const touched = active(state, event);
  const { output } = state;
  switch (event.type) {
    case "session.message.added": {
      const { message } = event.data;
      const isReply = message.role !== "user" && message.role !== "notice";
      const heard = isReply ? begun(touched) : touched;
      return {
        ...(message.tool === undefined ? heard : withToolCall(heard)),
        output: added(output, message),
      };
    }
    case "session.message.updated":
      return {
        ...touched,
        output: {
          ...output,
          last_words: wordsAfter(output, event.data),
          open_message: grown(output.open_message, event.data),
        },
      };
    case "session.tool.updated": {
      const { id: message, tool } = event.data;
      return {
        ...touched,
        output: {
          ...output,
          open_message: null,
          tools: follow(output.tools, { id: message, tool }),
        },
      };
    }
    default:
      return unreachable(event);
  }
};

const added = (output: Output, message: Message): Output => {
  const { id, role, text } = message;
  return {
    // A fork goes on from a conversation: it is called by how that began.
    first_prompt:
      output.first_prompt ??
      (role === "user" && text.trim() !== "" ? startOf(text) : null),
    open_message:
      role === "agent" || role === "thought"
        ? { id, role, characters: text.length }
        : null,
    last_words:
      role === "agent" ? lastWords(output, message) : output.last_words,
    tools: follow(output.tools, message),
  };
};

const follow = (
  calls: ToolCalls,
  { id: message, tool }: Pick<Message, "id" | "tool">,
): ToolCalls =>
  tool === undefined
    ? calls
    : tellCall(
        followCall(calls, { id: tool.id, message, status: tool.status }),
        tool,
      );

/** A session is called by how it began, where nobody has named it. */
export const withFirstPrompt = (state: State, text: string): State =>
  state.output.first_prompt !== null || text.trim() === ""
    ? state
    : {
        ...state,
        output: {
          ...state.output,
          first_prompt: startOf(text),
        },
      };

const startOf = (text: string): string =>
  text.slice(0, fitting(text, MARK_PROMPT));

/** A message that continues another adds to the last words. */
const lastWords = (
  { last_words, open_message }: Output,
  { text, continues }: Message,
): string =>
  tail(
    continues !== undefined && continues === open_message?.id
      ? (last_words ?? "") + text
      : text,
  );

type Update = EventDataOf<"session.message.updated">;

const wordsAfter = (
  { last_words, open_message }: Output,
  { append = "", text }: Update,
): string | null =>
  open_message?.role === "agent"
    ? tail(text ?? (last_words ?? "") + append)
    : last_words;

const grown = (
  open: OpenMessage | null,
  { id, append = "", text }: Update,
): OpenMessage | null =>
  open?.id === id
    ? { ...open, characters: text?.length ?? open.characters + append.length }
    : open;

const LAST_WORDS = 160;

const tail = (text: string): string => text.slice(-LAST_WORDS);
