import * as z from "zod";
import { Abilities, AgentMessageId } from "../agent/agent.ts";
import { Ending } from "../session/ending.ts";
import { GoneProcess } from "../session/process.ts";
import { PermissionId, PromptId } from "../base/id.ts";
import { Offered } from "../agent/offered.ts";
import { OpenFailure, SystemPrompt } from "../agent/opening.ts";
import { PermissionOption } from "../agent/permission.ts";
import { InForce, Restriction } from "../agent/restriction.ts";
import { Resume } from "../agent/resume.ts";
import { Tool } from "../agent/tool.ts";
import { ContextUse, Limit, Usage } from "../base/usage.ts";

/**
 * What agentctl reports about an execution. Words of the agent carry the range of stdout bytes they stand for,
 * `[from, to)`: ranges of successive items touch, so the server can tell a gap or a repetition by looking at two
 * numbers. Facts that are no words of the agent have `range: null`; they are idempotent instead. A newer agentctl may
 * know more reasons than we do: those fall back to a general one, so that no fact is lost for its detail.
 */
export const ByteRange = z.object({
  from: z.number().int().nonnegative(),
  to: z.number().int().nonnegative(),
});
export type ByteRange = z.infer<typeof ByteRange>;

/** Why an agent could not be brought to the point where it takes prompts. */
export const StartFailure = z.enum([
  "agent_not_installed",
  "agent_exited",
  "agent_not_answering",
  "agent_not_reading",
  "wrong_protocol_version",
  "not_logged_in",
  "agent_error",
  "workspace_missing",
  "workspace_busy",
  "out_of_disk",
  /** Something that restricts the agent cannot be applied: it was not given a prompt. */
  "restriction_not_held",
  /** The sandbox cannot be made: nothing was started outside of it. */
  "sandbox_unavailable",
]);
export type StartFailure = z.infer<typeof StartFailure>;

export const ReportItem = z.discriminatedUnion("kind", [
  /** The agent takes prompts now. */
  z.object({
    kind: z.literal("ready"),
    range: ByteRange.nullable(),
    native_session_id: z.string().nullable(),
    abilities: Abilities,
    agent_info: z
      .object({ name: z.string(), version: z.string().nullable() })
      .nullable(),
    /** How its session came about; `failed` says why a native resume was not possible. */
    opened: z.enum(["new", "resumed", "loaded"]),
    verified: z.boolean(),
    /** Prompts that were cut off and that its own session does not hold; an older agentctl does not say. */
    forgotten: z.number().int().optional(),
    /** The workspace against its newest checkpoint; null when there was nothing to hold it against, or no time. */
    workspace: Resume.shape.workspace.optional(),
    /** What is in force; an older agentctl does not say. */
    applied: InForce.optional(),
    /** What it offers to choose from; an older agentctl does not say. */
    offered: Offered.optional(),
    /** What was added to its system prompt, where anything was. */
    system_prompt: SystemPrompt.optional(),
    failed: OpenFailure.nullable(),
  }),
  /** The agent has named its own session, or named it anew: this is what it can be resumed by. */
  z.object({ kind: z.literal("token"), range: ByteRange, token: z.string() }),
  z.object({
    kind: z.literal("start_failed"),
    range: z.null(),
    failure: StartFailure.catch("agent_error"),
    message: z.string(),
    /** With `restriction_not_held`. */
    restriction: Restriction.optional().catch(undefined),
  }),
  /** The bytes of a prompt are committed to the agent. */
  z.object({
    kind: z.literal("prompt_delivered"),
    range: z.null(),
    prompt_id: PromptId,
  }),
  z.object({
    kind: z.literal("text"),
    range: ByteRange,
    role: z.enum(["agent", "thought"]),
    text: z.string(),
  }),
  z.object({ kind: z.literal("tool"), range: ByteRange, tool: Tool }),
  z.object({
    kind: z.literal("plan"),
    range: ByteRange,
    entries: z.array(
      z.object({ text: z.string(), status: z.string(), priority: z.string() }),
    ),
  }),
  z.object({
    kind: z.literal("permission_requested"),
    range: ByteRange,
    permission_id: PermissionId,
    title: z.string(),
    tool_kind: z.string().nullable(),
    tool_name: z.string().nullable().optional(),
    /** What the tool is to do, in a line: a command, a path. */
    detail: z.string().nullable().optional(),
    tool_call_id: z.string().nullable(),
    /** The call as the request tells it; an older agentctl does not say. */
    tool: Tool.optional(),
    options: z.array(PermissionOption),
  }),
  /** The answer's bytes are committed to the agent. */
  z.object({
    kind: z.literal("answer_delivered"),
    range: z.null(),
    permission_id: PermissionId,
  }),
  /** The agent confirmed a change of its settings, and this is how it stands now. */
  z.object({
    kind: z.literal("change_applied"),
    range: z.null(),
    change: z.number().int(),
    applied: InForce,
    offered: Offered,
  }),
  /** It does not hold, and what was set before is set again. */
  z.object({
    kind: z.literal("change_refused"),
    range: z.null(),
    change: z.number().int(),
    restriction: Restriction,
  }),
  z.object({
    kind: z.literal("usage"),
    range: ByteRange,
    /** The same as `context.used_tokens`: older releases have no other. */
    usage: Usage,
    context: ContextUse.optional(),
    /** The quota that is used up, when the agent tells of it here: the turn then ends for it. */
    limit: Limit.optional(),
    /** What its own session has cost so far, where the agent tells. */
    cost: z.number().nonnegative().optional().catch(undefined),
  }),
  z.object({
    kind: z.literal("turn_ended"),
    range: ByteRange,
    prompt_id: PromptId,
    stop_reason: z.string(),
    usage: Usage.nullable(),
    /** The tokens are those of all turns of this execution so far, and not of this one. */
    usage_of: z.literal("execution").optional(),
    /** Set when the agent answered the prompt with an error. */
    error: z.string().nullable(),
    /** The last message of the agent's own session, where it tells: it can be taken up there again. */
    last_message_id: AgentMessageId.optional().catch(undefined),
    /** The error is a quota that is used up, and this is when it is filled again, where that is told. */
    limit: Limit.nullable().optional(),
    /** What the error is, where that is known. */
    failure: z.literal("not_logged_in").optional().catch(undefined),
  }),
  /** What the agent's own session file held after a turn; the next native resume is verified against it. */
  z.object({
    kind: z.literal("transcript"),
    range: z.null(),
    bytes: z.number().int(),
    sha256: z.string(),
  }),
  /** An update of a kind we do not know: kept, not dropped. */
  z.object({
    kind: z.literal("unknown"),
    range: ByteRange,
    update: z.unknown(),
  }),
  /** Something on stdout that is no message. */
  z.object({
    kind: z.literal("garbage"),
    range: ByteRange,
    text: z.string(),
    /** It was a line of so many bytes, which is longer than is read: `text` is its beginning. */
    too_long: z.number().int().optional(),
  }),
  z.object({
    kind: z.literal("notice"),
    range: z.null(),
    code: z.string(),
    text: z.string(),
    /** With `processes_gone`. */
    processes: z.array(GoneProcess).optional().catch(undefined),
  }),
  /** All processes of the execution are gone. The last item of an execution. */
  z.object({
    kind: z.literal("ended"),
    range: z.null(),
    ending: Ending.catch({ kind: "vanished" }),
    /** Prompts that were handed over and provably never committed to the agent: they were not taken and may be sent again. */
    not_taken: z.array(PromptId),
    /** Records of this execution cannot be read any more: a prompt that is told nowhere may have been taken. */
    journal_damaged: z.boolean().optional(),
    stderr_tail: z.string(),
  }),
]);
export type ReportItem = z.infer<typeof ReportItem>;

/**
 * An item as it is sent. Servers of older releases speak the same version of the link and do not understand `ready` without
 * `fork`, which none of them uses.
 */
export const sentItem = (item: ReportItem): object =>
  item.kind === "ready"
    ? { ...item, abilities: { ...item.abilities, fork: false } }
    : item;
