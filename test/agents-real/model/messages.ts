/** Anthropic Messages: what Claude Code speaks. */
import * as z from "zod";
import type { Item } from "./conversation.ts";
import { Arguments, Content, contentText, toolOf } from "./schema.ts";
import { newId, type Answer, type Frame, type Wire } from "./wire.ts";

export const messages: Wire = {
  name: "messages",
  path: /^\/v1\/messages$/,
  read: (body) => {
    const request = Request.parse(body);
    return {
      items: request.messages.flatMap(itemsOf),
      tools: request.tools.map((tool) => toolOf(tool.name, tool.input_schema)),
      wantsJson: request.output_config !== undefined,
      streams: request.stream,
    };
  },
  document: (answer) => ({
    ...envelope(),
    content: [
      answer.kind === "text"
        ? { type: "text", text: answer.chunks.join("") }
        : toolUse(answer),
    ],
    stop_reason: stopReason(answer),
  }),
  stream: (answer) => ({
    before: [
      event({ type: "message_start", message: envelope() }),
      event({
        type: "content_block_start",
        index: 0,
        content_block: block(answer),
      }),
      ...(answer.kind === "call"
        ? [
            delta({
              type: "input_json_delta",
              partial_json: JSON.stringify(answer.input),
            }),
          ]
        : []),
    ],
    chunk: (text) => [delta({ type: "text_delta", text })],
    after: [
      event({ type: "content_block_stop", index: 0 }),
      event({
        type: "message_delta",
        delta: { stop_reason: stopReason(answer), stop_sequence: null },
        usage: { output_tokens: 7 },
      }),
      event({ type: "message_stop" }),
    ],
  }),
  quota: (seconds) => ({
    headers: {
      "retry-after": String(seconds),
      "x-should-retry": "false",
      "anthropic-ratelimit-unified-status": "rejected",
      "anthropic-ratelimit-unified-reset": String(
        Math.ceil(Date.now() / 1000) + seconds,
      ),
    },
    body: {
      type: "error",
      error: { type: "rate_limit_error", message: "Usage limit reached" },
    },
  }),
};

const Block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  name: z.string().optional(),
  content: Content.optional(),
});

const Message = z.object({
  role: z.string(),
  content: z.union([z.string(), z.array(Block)]),
});

const Request = z.object({
  messages: z.array(Message),
  tools: z
    .array(z.object({ name: z.string(), input_schema: Arguments.optional() }))
    .default([]),
  output_config: z.looseObject({ format: z.unknown().optional() }).optional(),
  stream: z.boolean().default(false),
});

const itemsOf = ({ role, content }: z.infer<typeof Message>): Item[] => {
  const kind = role === "assistant" ? "assistant" : "user";
  if (typeof content === "string") return [{ kind, text: content }];
  return content.flatMap((block): Item[] => {
    switch (block.type) {
      case "text":
        return [{ kind, text: block.text ?? "" }];
      case "tool_use":
        return [{ kind: "call", name: block.name ?? "" }];
      case "tool_result":
        return [{ kind: "result", text: contentText(block.content) }];
      default:
        return [];
    }
  });
};

const envelope = () => ({
  id: newId("msg"),
  type: "message",
  role: "assistant",
  model: "scripted",
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 11, output_tokens: 1 },
});

const toolUse = (answer: Extract<Answer, { kind: "call" }>) => ({
  type: "tool_use",
  id: newId("toolu"),
  name: answer.name,
  input: answer.input,
});

const block = (answer: Answer) =>
  answer.kind === "text"
    ? { type: "text", text: "" }
    : { ...toolUse(answer), input: {} };

const stopReason = (answer: Answer): string =>
  answer.kind === "text" ? "end_turn" : "tool_use";

const event = (data: { type: string; [key: string]: unknown }): Frame => ({
  event: data.type,
  data,
});

const delta = (change: object): Frame =>
  event({ type: "content_block_delta", index: 0, delta: change });
