/** Tool calls as ACP shows them. */
import type {
  SessionUpdate,
  ToolCallContent,
  ToolCallStatus,
  ToolKind,
} from "@agentclientprotocol/sdk";
import type { Tool, ToolStatus } from "../../contract/agent/tool.ts";
import { mergeTool } from "../../contract/agent/tool.ts";

/** A tool call that was shown. */
export interface ShownCall {
  toolCallId: string;
  /** The call as it is now. */
  tool: Tool;
  /** How much of its output was shown. */
  shown: number;
}

export const firstShown = (toolCallId: string, first: Tool): ShownCall => {
  const tool = mergeTool(undefined, first);
  return { toolCallId, tool, shown: tool.output?.length ?? 0 };
};

export const callUpdate = (
  { toolCallId, tool }: ShownCall,
  title: string,
): SessionUpdate => ({
  sessionUpdate: "tool_call",
  toolCallId,
  title,
  ...detailsOf(tool, tool),
});

/**
 * What a change of the call shows; null where nothing has to be shown yet. ACP replaces the content of a call with every
 * update, so output that comes in pieces is shown again only when it has grown by a quarter, and when the status changes.
 */
export const changeUpdate = (
  call: ShownCall,
  change: Tool,
): SessionUpdate | null => {
  call.tool = mergeTool(call.tool, change);
  const length = call.tool.output?.length ?? 0;
  const isOnlyMore = Object.entries(change).every(
    ([name, value]) =>
      name === "id" || name === "more_output" || value === undefined,
  );
  if (isOnlyMore && length < call.shown * 1.25) return null;
  const isMore = length > call.shown;
  call.shown = length;
  const output = isMore ? call.tool.output : undefined;
  return {
    sessionUpdate: "tool_call_update",
    toolCallId: call.toolCallId,
    ...(change.title !== undefined && { title: change.title }),
    ...detailsOf(
      { ...change, ...(output !== undefined && { output }) },
      call.tool,
    ),
  };
};

/** What is known of a call, besides its title. The content is told whole where any of it changed. */
const detailsOf = (change: Tool, whole: Tool) => {
  const hasContent = change.output !== undefined || change.diffs !== undefined;
  return {
    ...(change.kind !== undefined && { kind: kindOf(change.kind) }),
    ...(change.status !== undefined && { status: statusOf(change.status) }),
    ...(hasContent && { content: contentOf(whole) }),
    ...(change.locations !== undefined && {
      locations: change.locations.map(({ path, line }) => ({
        path,
        // ACP counts lines in whole numbers from 0.
        ...(line !== undefined && { line: Math.max(0, Math.trunc(line)) }),
      })),
    }),
    ...(change.input !== undefined && { rawInput: change.input }),
  };
};

/** A terminal is never shown: the editor has none of the agent's. */
const contentOf = ({ diffs = [], output }: Tool): ToolCallContent[] => [
  ...diffs.map(({ path, old_text, new_text }) => ({
    type: "diff" as const,
    path,
    oldText: old_text,
    newText: new_text,
  })),
  ...(output === undefined || output === "" ? [] : [textContent(output)]),
];

export const textContent = (text: string): ToolCallContent => ({
  type: "content",
  content: { type: "text", text },
});

/** Whether an interrupted call had its effect is unknown, which ACP has no word for. */
const statusOf = (status: ToolStatus): ToolCallStatus =>
  status === "interrupted" ? "failed" : status;

const KINDS: Readonly<Record<ToolKind, true>> = {
  read: true,
  edit: true,
  delete: true,
  move: true,
  search: true,
  execute: true,
  think: true,
  fetch: true,
  switch_mode: true,
  other: true,
};

const isKind = (kind: string): kind is ToolKind => Object.hasOwn(KINDS, kind);

export const kindOf = (kind: string): ToolKind =>
  isKind(kind) ? kind : "other";
