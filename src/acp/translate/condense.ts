/**
 * Updates of the past, condensed: pieces of one message become one, and of a plan, the usage and the commands only the newest is
 * worth telling.
 */
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { chunk, type Speaker } from "./chunk.ts";

export class Condenser {
  #open: { speaker: Speaker; messageId: string; pieces: string[] } | null =
    null;
  readonly #newest = new Map<string, SessionUpdate>();

  /** What can be told now. */
  add(update: SessionUpdate): SessionUpdate[] {
    switch (update.sessionUpdate) {
      case "plan":
      case "usage_update":
      case "available_commands_update":
        this.#newest.set(update.sessionUpdate, update);
        return [];
      // They are of the moment, and no part of the conversation.
      case "notice":
        return [];
      case "user_message_chunk":
      case "agent_message_chunk":
      case "agent_thought_chunk": {
        const { content, messageId } = update;
        if (content.type !== "text" || messageId == null)
          return [...this.#close(), update];
        const speaker = speakers[update.sessionUpdate];
        if (
          this.#open?.messageId === messageId &&
          this.#open.speaker === speaker
        ) {
          this.#open.pieces.push(content.text);
          return [];
        }
        const before = this.#close();
        this.#open = { speaker, messageId, pieces: [content.text] };
        return before;
      }
      default:
        return [...this.#close(), update];
    }
  }

  /** What is left to tell. */
  end(): SessionUpdate[] {
    const rest = [...this.#close(), ...this.#newest.values()];
    this.#newest.clear();
    return rest;
  }

  #close(): SessionUpdate[] {
    const open = this.#open;
    this.#open = null;
    return open === null
      ? []
      : [chunk(open.speaker, open.pieces.join(""), open.messageId)];
  }
}

const speakers = {
  user_message_chunk: "user",
  agent_message_chunk: "agent",
  agent_thought_chunk: "thought",
} as const;
