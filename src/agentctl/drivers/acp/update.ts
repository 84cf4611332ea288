import * as z from "zod";
import { limitInUpdate } from "../../../agents/agent/limit.ts";
import type { ByteRange, ReportItem } from "../../../contract/link/report.ts";
import type { Tool } from "../../../contract/agent/tool.ts";
import { MAX_TITLE, shortened, toolId } from "./shortened.ts";

/**
 * What a `session/update` means to the server. Lenient: what does not fit is kept as `unknown`, because a newer agent
 * must not lose words to an older reader. An agent may have other sessions, of its own helpers say: their words are
 * kept like that too, and are not this session's.
 */
export const itemOfUpdate = (
  params: unknown,
  range: ByteRange,
  session: string | null,
): ReportItem | null => {
  const { sessionId = session, update } = Update.safeParse(params).data ?? {};
  if (update === undefined || (session !== null && sessionId !== session))
    return { kind: "unknown", range, update: params ?? null };
  switch (update.sessionUpdate) {
    case "agent_message_chunk":
    case "agent_thought_chunk": {
      const text = Chunk.safeParse(update.content).data?.text;
      if (text === undefined) break;
      const role =
        update.sessionUpdate === "agent_message_chunk" ? "agent" : "thought";
      return { kind: "text", range, role, text };
    }
    case "user_message_chunk":
      return null;
    case "tool_call":
    case "tool_call_update": {
      const call = ToolCall.safeParse(update).data;
      if (call === undefined) break;
      return { kind: "tool", range, tool: toolOf(call) };
    }
    case "plan": {
      const plan = Plan.safeParse(update).data;
      if (plan === undefined) break;
      return { kind: "plan", range, entries: entriesOf(plan.entries) };
    }
    case "usage_update": {
      const { used, size, cost, _meta } =
        UsageUpdate.safeParse(update).data ?? {};
      if (used === undefined) break;
      const limit = limitInUpdate(_meta);
      return {
        kind: "usage",
        range,
        // Older servers know no other word for what fills the context window.
        usage: { input_tokens: used, output_tokens: 0, total_tokens: used },
        context: { used_tokens: used, size_tokens: size ?? null },
        ...(limit !== null && { limit }),
        ...(cost != null && { cost: cost.amount }),
      };
    }
  }
  return { kind: "unknown", range, update };
};

const Update = z.object({
  sessionId: z.string().optional(),
  update: z.looseObject({ sessionUpdate: z.string() }),
});

const Chunk = z.object({ type: z.literal("text"), text: z.string() });

const Plan = z.object({
  entries: z.array(
    z.object({
      content: z.string(),
      status: z.string().catch("pending"),
      priority: z.string().catch("medium"),
    }),
  ),
});

/** Each plan is told whole, so a long one is told by its beginning. */
const MAX_PLAN_ENTRIES = 1000;

const entriesOf = (
  entries: z.infer<typeof Plan>["entries"],
): Extract<ReportItem, { kind: "plan" }>["entries"] => {
  const shown = entries
    .slice(0, MAX_PLAN_ENTRIES)
    .map(({ content, status, priority }) => ({
      text: shortened(content, MAX_TITLE),
      status,
      priority,
    }));
  const more = entries.length - shown.length;
  return more === 0
    ? shown
    : [
        ...shown,
        { text: `… and ${more} more`, status: "pending", priority: "low" },
      ];
};

const UsageUpdate = z.object({
  used: z.number().int(),
  size: z.number().int().positive().nullish().catch(null),
  cost: z.object({ amount: z.number().nonnegative() }).nullish().catch(null),
  _meta: z.unknown().optional(),
});

const ToolContent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("content"), content: z.unknown().optional() }),
  z.object({
    type: z.literal("diff"),
    path: z.string(),
    oldText: z.string().nullish(),
    newText: z.string(),
  }),
  z.object({ type: z.literal("terminal") }),
]);

export const ToolCall = z.object({
  toolCallId: z.string(),
  title: z.string().nullish(),
  kind: z.string().nullish(),
  status: z
    .enum(["pending", "in_progress", "completed", "failed"])
    .nullish()
    .catch(null),
  content: z.array(ToolContent).nullish().catch(null),
  locations: z
    .array(z.object({ path: z.string(), line: z.number().nullish() }))
    .nullish()
    .catch(null),
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
  _meta: z.unknown().optional(),
});
export type ToolCall = z.infer<typeof ToolCall>;

/** Only what the update carries: leaving a field out means that it did not change. */
export const toolOf = (call: ToolCall): Tool => {
  const output = outputOf(call);
  const diffs = call.content?.flatMap((part) =>
    part.type === "diff"
      ? [
          {
            path: part.path,
            old_text: part.oldText ?? null,
            new_text: part.newText,
          },
        ]
      : [],
  );
  return {
    id: toolId(call.toolCallId),
    ...(call.title == null ? {} : { title: shortened(call.title, MAX_TITLE) }),
    ...(call.kind == null ? {} : { kind: call.kind }),
    ...(call.status == null ? {} : { status: call.status }),
    ...(output === undefined ? moreOutput(call) : { output }),
    ...(diffs === undefined || diffs.length === 0 ? {} : { diffs }),
    ...(call.locations == null
      ? {}
      : {
          locations: call.locations.map(({ path, line }) =>
            line == null ? { path } : { path, line },
          ),
        }),
    ...(call.rawInput === undefined ? {} : { input: call.rawInput }),
  };
};

const outputOf = (call: ToolCall): string | undefined => {
  const texts = call.content?.flatMap((part) => {
    const text =
      part.type === "content"
        ? Chunk.safeParse(part.content).data?.text
        : undefined;
    return text === undefined ? [] : [text];
  });
  if (texts !== undefined && texts.length > 0) return texts.join("\n");
  return RawOutput.safeParse(call.rawOutput).data;
};

/** As text, or under the name that OpenCode or Copilot has for it. */
const RawOutput = z.union([
  z.string(),
  z.object({ output: z.string() }).transform(({ output }) => output),
  z.object({ content: z.string() }).transform(({ content }) => content),
]);

/** Codex tells what a terminal shows only piece by piece, and only here. */
const moreOutput = ({ _meta }: ToolCall): Pick<Tool, "more_output"> => {
  const data = Terminal.safeParse(_meta).data?.terminal_output_delta.data;
  return data === undefined ? {} : { more_output: data };
};

const Terminal = z.object({
  terminal_output_delta: z.object({ data: z.string() }),
});
