import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { MessageRole } from "../../contract/session/message.ts";

export type Speaker = Extract<MessageRole, "user" | "agent" | "thought">;

export type Chunk = Extract<
  SessionUpdate,
  {
    sessionUpdate:
      "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk";
  }
>;

/** Something that was said. Chunks with the same `messageId` are one message. */
export const chunk = (
  speaker: Speaker,
  text: string,
  messageId: string,
): Chunk => ({
  sessionUpdate: kinds[speaker],
  content: { type: "text", text },
  messageId,
});

const kinds = {
  user: "user_message_chunk",
  agent: "agent_message_chunk",
  thought: "agent_thought_chunk",
} as const;
