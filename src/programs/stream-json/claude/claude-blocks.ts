import type { ToolCallContent } from "@agentclientprotocol/sdk/unstable";
import * as z from "zod";
import { planOf, shownTool } from "./claude-tool.ts";
import type { Interpreted } from "../dialect/dialect.ts";

export interface Block {
  type: string;
  [field: string]: unknown;
}

/** What the parts of a message are to whoever watches. */
export const interpretBlocks = (blocks: readonly Block[]): Interpreted[] =>
  blocks.flatMap(interpretBlock);

const interpretBlock = (block: Block): Interpreted[] => {
  const part = Part.safeParse(block).data;
  switch (part?.type) {
    case "text":
      return [words("agent_message_chunk", part.text)];
    case "thinking":
      return [words("agent_thought_chunk", part.thinking)];
    case "tool_use": {
      const { id, name, input } = part;
      const plan = planOf(name, input);
      const call: Interpreted = {
        kind: "update",
        update: { sessionUpdate: "tool_call", ...shownTool(id, name, input) },
      };
      if (plan === null) return [call];
      return [
        call,
        { kind: "update", update: { sessionUpdate: "plan", entries: plan } },
      ];
    }
    case "tool_result": {
      const { tool_use_id, is_error, content } = part;
      return [
        {
          kind: "update",
          update: {
            sessionUpdate: "tool_call_update",
            toolCallId: tool_use_id,
            status: is_error === true ? "failed" : "completed",
            ...(content.length === 0 ? {} : { content }),
          },
        },
      ];
    }
    case undefined:
      return [{ kind: "unknown", line: block }];
  }
};

const words = (
  sessionUpdate: "agent_message_chunk" | "agent_thought_chunk",
  text: string,
): Interpreted => ({
  kind: "update",
  update: { sessionUpdate, content: { type: "text", text } },
});

const textual = (text: string): ToolCallContent => ({
  type: "content",
  content: { type: "text", text },
});

const Text = z.object({ type: z.literal("text"), text: z.string() });

/** Text as it is; of the rest (pictures) that it was there. */
const ResultContent = z
  .union([
    z.string().transform((text) => (text === "" ? [] : [textual(text)])),
    z.array(
      z.union([
        Text.transform(({ text }) => textual(text)),
        z
          .object({ type: z.string() })
          .transform(({ type }) => textual(`[${type}]`)),
      ]),
    ),
  ])
  .catch([]);

const Part = z.discriminatedUnion("type", [
  Text,
  z.object({ type: z.literal("thinking"), thinking: z.string() }),
  z.object({
    type: z.literal("tool_use"),
    id: z.string(),
    name: z.string(),
    input: z.unknown().optional(),
  }),
  z.object({
    type: z.literal("tool_result"),
    tool_use_id: z.string(),
    is_error: z.boolean().nullish(),
    content: ResultContent,
  }),
]);
