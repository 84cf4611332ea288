import type { ToolCallContent } from "@agentclientprotocol/sdk/unstable";

/** Text as the content of a tool call. */
export const textual = (text: string): ToolCallContent[] => [
  { type: "content", content: { type: "text", text } },
];
