/** A permission of a session as the question that an editor shows. */
import type {
  PermissionOptionKind,
  RequestPermissionRequest,
  ToolCallUpdate,
} from "@agentclientprotocol/sdk";
import type { Permission } from "../../contract/agent/permission.ts";
import { kindOf, textContent } from "./tool-call.ts";
import type { Told } from "./updates.ts";

export const questionOf = (
  sessionId: string,
  permission: Permission,
  told: Told,
): RequestPermissionRequest => ({
  sessionId,
  toolCall: toolCallOf(permission, told),
  options: permission.options.map(({ id, name, kind }) => ({
    optionId: id,
    name,
    kind: optionKindOf(kind),
  })),
});

/** A call that was shown keeps what was shown of it; of another one the question says what is known. */
const toolCallOf = (
  { id, title, tool_kind, tool }: Permission,
  told: Told,
): ToolCallUpdate => {
  const agents = tool?.id ?? null;
  const shown = [...told.calls.values()].findLast(
    (call) => call.tool.id === agents,
  );
  if (shown !== undefined)
    return { toolCallId: shown.toolCallId, title, status: "pending" };
  const details = tool?.diff ?? tool?.command ?? tool?.input ?? null;
  return {
    toolCallId: agents ?? id,
    title,
    status: "pending",
    kind: kindOf(tool_kind ?? tool?.kind ?? "other"),
    ...(details !== null && { content: [textContent(details)] }),
    ...(tool !== undefined &&
      tool.paths.length > 0 && {
        locations: tool.paths.map((path) => ({ path })),
      }),
  };
};

const KINDS: readonly PermissionOptionKind[] = [
  "allow_once",
  "allow_always",
  "reject_once",
  "reject_always",
];

/** Who allows by itself goes by the kind: one that is not known must not look like a yes. */
const optionKindOf = (kind: string): PermissionOptionKind =>
  KINDS.find((known) => known === kind) ?? "reject_once";
