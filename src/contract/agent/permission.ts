import * as z from "zod";
import { AskedTool } from "./asked-tool.ts";
import { PermissionId } from "../base/id.ts";

export const PermissionOption = z.object({
  id: z.string(),
  name: z.string(),
  /** ACP's option kind: allow_once, allow_always, reject_once, reject_always. Match on this, never on the id. */
  kind: z.string(),
});
export type PermissionOption = z.infer<typeof PermissionOption>;

/** As a journal holds it. Older ones hold malformed patterns, which a request may not. */
export const PermissionRule = z.strictObject({
  tool: z.string().min(1).max(200),
  answer: z.enum(["allow", "deny", "ask"]),
});
export type PermissionRule = z.infer<typeof PermissionRule>;

export const permissionDefaults = ["ask", "allow-read", "allow-all"] as const;
export const PermissionDefault = z.enum(permissionDefaults);
export type PermissionDefault = z.infer<typeof PermissionDefault>;

/** What is answered without asking a person. The first rule that fits decides, then the default. */
export const PermissionPolicy = z.strictObject({
  default: PermissionDefault.default("ask"),
  rules: z.array(PermissionRule).max(200).default([]),
});
export type PermissionPolicy = z.infer<typeof PermissionPolicy>;

export const PermissionCloseReason = z.enum([
  "turn_ended",
  "cancelled",
  "agent_died",
  "paused",
  "ended",
  /** The agent had asked for more than anybody could answer. */
  "too_many",
]);
export type PermissionCloseReason = z.infer<typeof PermissionCloseReason>;

export const Permission = z.object({
  id: PermissionId,
  turn: z.number().int(),
  title: z.string(),
  tool_kind: z.string().nullable(),
  /** The agent's own name for the tool, where it tells. */
  tool_name: z.string().nullable().optional(),
  /** What would be allowed: the tool call, as far as the agent has told it. */
  tool: AskedTool.optional(),
  options: z.array(PermissionOption),
  state: z.enum(["pending", "answered", "closed"]),
  /** Since when it waits; told of those that are pending. */
  asked_at: z.iso.datetime().optional(),
  option_id: z.string().optional(),
  reason: PermissionCloseReason.optional(),
});
export type Permission = z.infer<typeof Permission>;

/** A change to what is kept of a permission request. The first names the event in which it was asked. */
export interface PermissionChange {
  id: PermissionId;
  state: Permission["state"];
  option_id: string | null;
  reason: PermissionCloseReason | null;
  seq?: number;
}
