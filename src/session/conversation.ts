/** What the agent says and asks, and what becomes of that. */
import type { EventOf } from "../contract/event.ts";
import { unreachable } from "../kit/unreachable.ts";
import { active, begun, closePermission, openTools, tail } from "./change.ts";
import type { State } from "./state.ts";

export const said = (
  state: State,
  event: EventOf<
    "session.message.added" | "session.message.updated" | "session.tool.updated"
  >,
): State => {
  switch (event.type) {
    case "session.message.added": {
      const { message } = event.data;
      const heard =
        message.role === "user" || message.role === "notice"
          ? state
          : begun(state);
      const open =
        message.role === "agent" || message.role === "thought"
          ? { id: message.id, role: message.role }
          : null;
      const words =
        message.role === "agent" ? tail(message.text) : state.last_words;
      const { tool } = message;
      return {
        ...heard,
        last_active_at: event.at,
        open_message: open,
        last_words: words,
        ...(tool === undefined
          ? {}
          : {
              tools: { ...state.tools, [tool.id]: message.id },
              open_tools: openTools(state.open_tools, tool.id, tool.status),
            }),
      };
    }
    case "session.message.updated": {
      const { append = "", text } = event.data;
      const words =
        state.open_message?.role === "agent"
          ? tail(text ?? (state.last_words ?? "") + append)
          : state.last_words;
      return { ...state, last_active_at: event.at, last_words: words };
    }
    case "session.tool.updated":
      return {
        ...state,
        last_active_at: event.at,
        open_message: null,
        open_tools: openTools(
          state.open_tools,
          event.data.tool.id,
          event.data.tool.status,
        ),
      };
    default:
      return unreachable(event);
  }
};

export const asked = (
  state: State,
  event: EventOf<
    | "session.permission.requested"
    | "session.permission.answered"
    | "session.permission.delivered"
    | "session.permission.closed"
  >,
): State => {
  switch (event.type) {
    case "session.permission.requested":
      return {
        ...begun(active(state, event)),
        permissions: [...state.permissions, event.data.permission],
      };
    case "session.permission.answered":
      return {
        ...active(state, event),
        permissions: state.permissions.map((p) =>
          p.id === event.data.id
            ? {
                ...p,
                state: "answered" as const,
                option_id: event.data.option_id,
              }
            : p,
        ),
      };
    case "session.permission.delivered":
      return closePermission(state, event.data.id, {});
    case "session.permission.closed":
      return closePermission(state, event.data.id, {
        state: "closed",
        reason: event.data.reason,
      });
    default:
      return unreachable(event);
  }
};
