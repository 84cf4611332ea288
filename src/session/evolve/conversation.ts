/** What the agent says and does, and what becomes of that. */
import type { EventDataOf, EventOf } from "../../contract/event.ts";
import type { Message } from "../../contract/message.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { begun, tail } from "../state/change.ts";
import type { OpenMessage, State } from "../state/state.ts";
import { followCall, tellCall, type ToolCalls } from "../state/tool-calls.ts";

export const said = (
  state: State,
  event: EventOf<
    "session.message.added" | "session.message.updated" | "session.tool.updated"
  >,
): State => {
  switch (event.type) {
    case "session.message.added":
      return {
        ...added(state, event.data.message),
        last_active_at: event.at,
      };
    case "session.message.updated":
      return {
        ...state,
        last_active_at: event.at,
        last_words: wordsAfter(state, event.data),
        open_message: grown(state.open_message, event.data),
      };
    case "session.tool.updated": {
      const { id: message, tool } = event.data;
      return {
        ...state,
        last_active_at: event.at,
        open_message: null,
        tools: follow(state.tools, { id: message, tool }),
      };
    }
    default:
      return unreachable(event);
  }
};

const added = (state: State, message: Message): State => {
  const { id, role, text } = message;
  const heard = role === "user" || role === "notice" ? state : begun(state);
  return {
    ...heard,
    open_message:
      role === "agent" || role === "thought"
        ? { id, role, characters: text.length }
        : null,
    last_words: role === "agent" ? lastWords(state, message) : state.last_words,
    tools: follow(state.tools, message),
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

/** Of a message that goes on with another, both are the last words. */
const lastWords = (
  { last_words, open_message }: State,
  { text, continues }: Message,
): string =>
  tail(
    continues !== undefined && continues === open_message?.id
      ? (last_words ?? "") + text
      : text,
  );

type Update = EventDataOf<"session.message.updated">;

const wordsAfter = (
  { last_words, open_message }: State,
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
