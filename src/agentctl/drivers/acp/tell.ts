import { CLIENT_METHODS } from "@agentclientprotocol/sdk";
import * as z from "zod";
import { AUTH_REQUIRED } from "../../../agents/agent/acp-error.ts";
import { AT_MESSAGE } from "../../../agents/launch/at-message.ts";
import { limitOf } from "../../../agents/agent/limit.ts";
import { loginAdvice, type LoginWords } from "../../../agents/launch/login.ts";
import { AgentMessageId } from "../../../contract/agent/agent.ts";
import { permissionId, PromptId } from "../../../contract/base/id.ts";
import type { ByteRange, ReportItem } from "../../../contract/link/report.ts";
import type { Telling } from "../driver.ts";
import { askedTool } from "./asked-tool.ts";
import { describeError, type RpcError, type Said, whatOf } from "./message.ts";
import { namedBy } from "./named.ts";
import { offeredOptions } from "./options.ts";
import { MAX_TITLE, shortened, toolId } from "./shortened.ts";
import { spentOn } from "./spent.ts";
import { itemOfUpdate, ToolCall, toolOf } from "./update.ts";

/**
 * What a line means to the server, or null when nothing. It depends on the line and on how the session opened, on
 * nothing else: telling the same bytes again, even by another agentctl, gives the same items. Until the session is
 * open only garbage is told: the handshake, and a replay of what the server has already, belong to `ready`.
 */
export const tell = (
  said: Said,
  range: ByteRange,
  { epoch, ready, counts = "turn", login }: Telling,
): ReportItem | null => {
  if (said.kind === "garbage") return tellGarbage(said, range);
  if (ready === null || range.to < ready.range.to) return null;
  if (range.to === ready.range.to) return { ...ready, range };
  switch (said.kind) {
    case "notification": {
      if (said.method === CLIENT_METHODS.session_update)
        return itemOfUpdate(said.params, range, ready.native_session_id);
      const token = namedBy(said);
      return token === null
        ? { kind: "unknown", range, update: said }
        : { kind: "token", range, token };
    }
    case "request":
      return said.method === CLIENT_METHODS.session_request_permission
        ? tellPermission(said.params, range, epoch)
        : null;
    case "answer":
    case "refusal":
      return tellTurn(said, range, { counts, login });
  }
};

const tellGarbage = (
  { text, tooLong }: Extract<Said, { kind: "garbage" }>,
  range: ByteRange,
): ReportItem | null =>
  text === ""
    ? null
    : {
        kind: "garbage",
        range,
        text,
        ...(tooLong === undefined ? {} : { too_long: tooLong }),
      };

export const PermissionRequest = z.object({
  toolCall: ToolCall,
  options: z.array(
    z.object({
      optionId: z.string(),
      name: z.string(),
      kind: z.string().catch("other"),
    }),
  ),
});

const tellPermission = (
  params: unknown,
  range: ByteRange,
  epoch: number,
): ReportItem => {
  const request = PermissionRequest.safeParse(params).data;
  if (request === undefined)
    return { kind: "unknown", range, update: params ?? null };
  const { toolCall, options } = request;
  return {
    kind: "permission_requested",
    range,
    permission_id: permissionId(epoch, range.from),
    title: shortened(toolCall.title ?? toolCall.toolCallId, MAX_TITLE),
    tool_kind: toolCall.kind ?? null,
    ...askedTool(params),
    tool_call_id: toolId(toolCall.toolCallId),
    tool: toolOf(toolCall),
    options: offeredOptions(options).map(({ id, name, kind }) => ({
      id,
      name: shortened(name, MAX_TITLE),
      kind,
    })),
  };
};

const PromptResult = z.object({
  stopReason: z.string(),
  /** ACP has no ids of messages; our own program for CLIs tells one. */
  _meta: z
    .object({ [AT_MESSAGE]: AgentMessageId })
    .optional()
    .catch(undefined),
});

const tellTurn = (
  said: Extract<Said, { kind: "answer" | "refusal" }>,
  range: ByteRange,
  { counts, login }: Pick<Telling, "counts" | "login">,
): ReportItem | null => {
  const prompt_id = promptOf(whatOf(said.id));
  if (prompt_id === null) return null;
  if (said.kind === "refusal")
    return {
      kind: "turn_ended",
      range,
      prompt_id,
      stop_reason: "error",
      usage: null,
      error: whyOf(said.error, login),
      limit: limitOf(said.error),
      ...(said.error.code === AUTH_REQUIRED && {
        failure: "not_logged_in" as const,
      }),
    };
  const { stopReason = "unknown", _meta } =
    PromptResult.safeParse(said.result).data ?? {};
  const last_message_id = _meta?.[AT_MESSAGE];
  return {
    kind: "turn_ended",
    range,
    prompt_id,
    stop_reason: stopReason,
    usage: spentOn(said.result),
    ...(counts === "turn" ? {} : { usage_of: counts }),
    error: null,
    ...(last_message_id !== undefined && { last_message_id }),
  };
};

/** Some agents ask for a login only when they are to work. */
const whyOf = (error: RpcError, login: LoginWords | undefined): string =>
  error.code === AUTH_REQUIRED
    ? `${describeError(error).replace(/\.$/, "")}. ${loginAdvice(login)}, then send the prompt again.`
    : describeError(error);

export const promptOf = (what: string | null): PromptId | null =>
  what?.startsWith("prompt.")
    ? (PromptId.safeParse(what.slice("prompt.".length)).data ?? null)
    : null;
