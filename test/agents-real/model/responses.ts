/** OpenAI Responses: what Codex speaks. */
import * as z from "zod";
import type { Item, Tool } from "./conversation.ts";
import { Arguments, Content, contentText, toolOf } from "./schema.ts";
import { newId, type Answer, type Frame, type Wire } from "./wire.ts";

export const responses: Wire = {
  name: "responses",
  path: /^\/v1\/responses$/,
  read: (body) => {
    const request = Request.parse(body);
    return {
      items: request.input.flatMap(itemsOf),
      tools: request.tools.flatMap(toolsOf),
      wantsJson: request.text?.format?.type === "json_schema",
      streams: request.stream,
    };
  },
  document: (answer) => finished(newId("resp"), [itemOf(answer)]),
  stream: (answer) => {
    const id = newId("resp");
    const item = itemOf(answer);
    return {
      before: [
        event({
          type: "response.created",
          response: { id, status: "in_progress" },
        }),
        event({
          type: "response.output_item.added",
          output_index: 0,
          item: answer.kind === "text" ? { ...item, content: [] } : item,
        }),
      ],
      chunk: (delta) => [
        event({
          type: "response.output_text.delta",
          item_id: item.id,
          output_index: 0,
          content_index: 0,
          delta,
        }),
      ],
      after: [
        event({ type: "response.output_item.done", output_index: 0, item }),
        event({ type: "response.completed", response: finished(id, [item]) }),
      ],
    };
  },
  quota: (seconds) => ({
    headers: { "retry-after": String(seconds) },
    body: {
      error: {
        type: "usage_limit_reached",
        message: "The usage limit has been reached",
        plan_type: "plus",
        resets_at: Math.ceil(Date.now() / 1000) + seconds,
        resets_in_seconds: seconds,
      },
    },
  }),
};

const Entry = z.looseObject({
  type: z.string().default("message"),
  role: z.string().optional(),
  name: z.string().optional(),
  content: Content.nullish(),
  output: z.unknown().optional(),
});

const Offered = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  parameters: Arguments.nullish(),
});

const Request = z.object({
  input: z.array(Entry),
  tools: z
    .array(Offered.extend({ tools: z.array(Offered).default([]) }))
    .default([]),
  text: z
    .looseObject({ format: z.looseObject({ type: z.string() }).optional() })
    .optional(),
  stream: z.boolean().default(false),
});

/** The tools of an MCP server lie in a namespace. */
const toolsOf = ({
  type,
  name,
  parameters,
  tools,
}: z.infer<typeof Request>["tools"][number]): Tool[] => {
  if (name === undefined) return [];
  if (type === "namespace")
    return tools.map((each) =>
      toolOf(`${name}__${each.name ?? ""}`, each.parameters),
    );
  const known = toolOf(name, parameters);
  return [type === "custom" ? { ...known, properties: null } : known];
};

const itemsOf = (entry: z.infer<typeof Entry>): Item[] => {
  switch (entry.type) {
    case "message":
      if (entry.role !== "user" && entry.role !== "assistant") return [];
      return [{ kind: entry.role, text: contentText(entry.content) }];
    case "function_call":
    case "custom_tool_call":
      return [{ kind: "call", name: entry.name ?? "" }];
    case "function_call_output":
    case "custom_tool_call_output":
      return [
        {
          kind: "result",
          text:
            typeof entry.output === "string"
              ? entry.output
              : JSON.stringify(entry.output),
        },
      ];
    default:
      return [];
  }
};

const itemOf = (answer: Answer) => {
  if (answer.kind === "text")
    return {
      type: "message",
      id: newId("msg"),
      role: "assistant",
      status: "completed",
      content: [
        { type: "output_text", text: answer.chunks.join(""), annotations: [] },
      ],
    };
  const [, namespace, name] = /^(mcp__.+)__(.+)$/.exec(answer.name) ?? [];
  const common = {
    id: newId("item"),
    call_id: newId("call"),
    name: name ?? answer.name,
    ...(namespace === undefined ? {} : { namespace }),
  };
  return typeof answer.input === "string"
    ? { type: "custom_tool_call", ...common, input: answer.input }
    : {
        type: "function_call",
        ...common,
        arguments: JSON.stringify(answer.input),
      };
};

const finished = (id: string, output: object[]) => ({
  id,
  object: "response",
  status: "completed",
  output,
  usage: {
    input_tokens: 11,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 7,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 18,
  },
});

const event = (data: { type: string; [key: string]: unknown }): Frame => ({
  event: data.type,
  data,
});
