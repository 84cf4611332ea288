import * as z from "zod";
import type { Block } from "./claude-blocks.ts";

/** The shapes of Claude Code's lines, as far as they are used. Lenient: versions add fields, and take some away. */

const Content = z
  .union([
    z.string().transform((text): Block[] => [{ type: "text", text }]),
    z.array(z.looseObject({ type: z.string() })),
  ])
  .catch([]);

const StreamEvent = z.object({
  type: z.literal("stream_event"),
  parent_tool_use_id: z.string().nullish(),
  event: z
    .discriminatedUnion("type", [
      z.object({
        type: z.literal("message_start"),
        message: z.object({ id: z.string() }),
      }),
      z.object({
        type: z.literal("content_block_delta"),
        delta: z.object({
          text: z.string().optional(),
          thinking: z.string().optional(),
        }),
      }),
      z.object({ type: z.literal("other") }),
    ])
    .catch({ type: "other" }),
});

export type StreamEvent = z.infer<typeof StreamEvent>;

const Counts = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cache_read_input_tokens: z.number().nullish(),
  cache_creation_input_tokens: z.number().nullish(),
});
export type Counts = z.infer<typeof Counts>;

const Result = z.object({
  type: z.literal("result"),
  subtype: z.string(),
  is_error: z.boolean().catch(false),
  result: z.string().optional().catch(undefined),
  errors: z.array(z.string()).optional().catch(undefined),
  stop_reason: z.string().nullish().catch(null),
  usage: Counts.optional().catch(undefined),
});
export type Result = z.infer<typeof Result>;

export const Line = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("system"),
    subtype: z.literal("init"),
    session_id: z.string(),
  }),
  StreamEvent,
  z.object({
    type: z.literal("assistant"),
    uuid: z.string().optional(),
    error: z.string().optional(),
    message: z.object({ id: z.string().optional(), content: Content }),
  }),
  z.object({
    type: z.literal("user"),
    message: z.object({ content: Content }),
  }),
  Result,
  z.object({ type: z.literal("control_request") }),
  z.object({
    type: z.literal("control_response"),
    response: z.object({ subtype: z.string() }),
  }),
  z.object({
    type: z.literal("rate_limit_event"),
    rate_limit_info: z.object({
      status: z.string().optional(),
      resetsAt: z.number().optional(),
    }),
  }),
  z.object({ type: z.literal("keep_alive") }),
]);

export const Noise = z.object({
  type: z.literal("system"),
  subtype: z.enum(["status", "thinking_tokens"]),
});
