import type {
  SessionUpdate,
  ToolCall,
  ToolCallContent,
  ToolCallStatus,
} from "@agentclientprotocol/sdk/unstable";
import * as z from "zod";
import type { Interpreted } from "../dialect/dialect.ts";

/** An item of a Codex turn. Its ids count from 0 in every run, so the run becomes part of them. */
export const interpretItem = (
  { run, spoke }: { run: string; spoke: boolean },
  line: unknown,
  begins: boolean,
): Interpreted[] => {
  const item = Item.safeParse(line).data;
  switch (item?.type) {
    case "agent_message":
      return begins
        ? []
        : words("agent_message_chunk", spoke ? `\n\n${item.text}` : item.text);
    case "reasoning":
      return begins ? [] : words("agent_thought_chunk", item.text);
    case "command_execution":
      return show(begins, {
        toolCallId: `${run}.${item.id}`,
        title: item.command.slice(0, LONGEST_TITLE),
        kind: "execute",
        status: statusOf(item.status),
        rawInput: { command: item.command },
        content: textual(item.aggregated_output),
      });
    case "file_change":
      return show(begins, {
        toolCallId: `${run}.${item.id}`,
        title: `Edit ${item.changes.map(({ path }) => path).join(", ")}`,
        kind: "edit",
        status: statusOf(item.status),
        rawInput: { changes: item.changes },
        locations: item.changes.map(({ path }) => ({ path })),
      });
    case "mcp_tool_call":
      return show(begins, {
        toolCallId: `${run}.${item.id}`,
        title: `${item.server}.${item.tool}`,
        kind: "other",
        status: statusOf(item.status),
        rawInput: item.arguments,
        content: textual(
          item.error?.message ??
            (item.result == null ? "" : JSON.stringify(item.result)),
        ),
      });
    case "web_search":
      return show(begins, {
        toolCallId: `${run}.${item.id}`,
        title: `Search ${item.query}`,
        kind: "search",
        status: begins ? "in_progress" : "completed",
        rawInput: { query: item.query },
      });
    case "todo_list":
      return update({
        sessionUpdate: "plan",
        entries: item.items.map(({ text, completed }) => ({
          content: text,
          status: completed ? "completed" : "pending",
          priority: "medium",
        })),
      });
    case undefined:
      return [{ kind: "unknown", line }];
  }
};

const LONGEST_TITLE = 200;

const update = (it: SessionUpdate): Interpreted[] => [
  { kind: "update", update: it },
];

const words = (
  sessionUpdate: "agent_message_chunk" | "agent_thought_chunk",
  text: string,
): Interpreted[] => update({ sessionUpdate, content: { type: "text", text } });

/** A quick call is only told at its end: that update shows it whole. */
const show = (begins: boolean, call: ToolCall): Interpreted[] =>
  update(
    begins
      ? { ...call, sessionUpdate: "tool_call" }
      : { ...call, sessionUpdate: "tool_call_update" },
  );

const textual = (text: string): ToolCallContent[] =>
  text === "" ? [] : [{ type: "content", content: { type: "text", text } }];

const statusOf = (status: string): ToolCallStatus =>
  status === "completed" || status === "in_progress" ? status : "failed";

const status = z.string().catch("completed");
const id = z.string();

const Item = z.discriminatedUnion("type", [
  z.object({ type: z.literal("agent_message"), text: z.string() }),
  z.object({ type: z.literal("reasoning"), text: z.string() }),
  z.object({
    type: z.literal("command_execution"),
    id,
    command: z.string(),
    aggregated_output: z.string().catch(""),
    status,
  }),
  z.object({
    type: z.literal("file_change"),
    id,
    changes: z.array(z.object({ path: z.string(), kind: z.string() })),
    status,
  }),
  z.object({
    type: z.literal("mcp_tool_call"),
    id,
    server: z.string(),
    tool: z.string(),
    arguments: z.unknown().optional(),
    result: z.unknown().optional(),
    error: z.object({ message: z.string() }).nullish().catch(null),
    status,
  }),
  z.object({ type: z.literal("web_search"), id, query: z.string().catch("") }),
  z.object({
    type: z.literal("todo_list"),
    items: z.array(z.object({ text: z.string(), completed: z.boolean() })),
  }),
]);
