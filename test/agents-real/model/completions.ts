/** OpenAI Chat Completions: what OpenCode and Copilot speak. */
import * as z from "zod";
import type { Item } from "./conversation.ts";
import { Arguments, Content, contentText, toolOf } from "./schema.ts";
import { newId, type Answer, type Frame, type Wire } from "./wire.ts";

export const completions: Wire = {
  name: "completions",
  path: /^\/v1\/chat\/completions$/,
  read: (body) => {
    const request = Request.parse(body);
    return {
      items: request.messages.flatMap(itemsOf),
      tools: request.tools.map(({ function: { name, parameters } }) =>
        toolOf(name, parameters),
      ),
      wantsJson: request.response_format !== undefined,
      streams: request.stream,
    };
  },
  document: (answer) => ({
    ...envelope("chat.completion"),
    choices: [
      {
        index: 0,
        message:
          answer.kind === "text"
            ? { role: "assistant", content: answer.chunks.join("") }
            : { role: "assistant", content: null, tool_calls: [call(answer)] },
        finish_reason: finish(answer),
      },
    ],
    usage,
  }),
  stream: (answer) => {
    const head = envelope("chat.completion.chunk");
    const frame = (
      delta: object,
      finish_reason: string | null = null,
    ): Frame => ({
      data: { ...head, choices: [{ index: 0, delta, finish_reason }] },
    });
    return {
      before: [
        frame({ role: "assistant", content: "" }),
        ...(answer.kind === "call"
          ? [frame({ tool_calls: [{ index: 0, ...call(answer) }] })]
          : []),
      ],
      chunk: (content) => [frame({ content })],
      after: [
        frame({}, finish(answer)),
        { data: { ...head, choices: [], usage } },
        { data: "[DONE]" },
      ],
    };
  },
  quota: (seconds) => ({
    headers: {
      "retry-after": String(seconds),
      "x-ratelimit-reset-requests": `${seconds}s`,
    },
    body: {
      error: {
        type: "insufficient_quota",
        code: "insufficient_quota",
        message: "You exceeded your current quota",
      },
    },
  }),
};

const Message = z.object({
  role: z.string(),
  content: Content.nullish(),
  tool_calls: z
    .array(z.object({ function: z.object({ name: z.string() }) }))
    .nullish(),
});

const Request = z.object({
  messages: z.array(Message),
  tools: z
    .array(
      z.object({
        function: z.object({
          name: z.string(),
          parameters: Arguments.nullish(),
        }),
      }),
    )
    .default([]),
  response_format: z.unknown().optional(),
  stream: z.boolean().default(false),
});

const itemsOf = (message: z.infer<typeof Message>): Item[] => {
  const text = contentText(message.content);
  switch (message.role) {
    case "user":
      return [{ kind: "user", text }];
    case "tool":
      return [{ kind: "result", text }];
    case "assistant":
      return [
        { kind: "assistant", text },
        ...(message.tool_calls ?? []).map((called): Item => ({
          kind: "call",
          name: called.function.name,
        })),
      ];
    default:
      return [];
  }
};

const envelope = (object: string) => ({
  id: newId("chatcmpl"),
  object,
  created: Math.floor(Date.now() / 1000),
  model: "scripted",
});

const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

const call = (answer: Extract<Answer, { kind: "call" }>) => ({
  id: newId("call"),
  type: "function",
  function: { name: answer.name, arguments: JSON.stringify(answer.input) },
});

const finish = (answer: Answer): string =>
  answer.kind === "text" ? "stop" : "tool_calls";
