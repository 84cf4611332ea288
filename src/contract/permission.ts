import { z } from "zod";
import { PermissionId } from "./id.ts";

export const PermissionOption = z.object({
  id: z.string(),
  name: z.string(),
  /** ACP's option kind: allow_once, allow_always, reject_once, reject_always. Match on this, never on the id. */
  kind: z.string(),
});
export type PermissionOption = z.infer<typeof PermissionOption>;

export const PermissionCloseReason = z.enum([
  "turn_ended",
  "cancelled",
  "agent_died",
  "paused",
  "ended",
]);
export type PermissionCloseReason = z.infer<typeof PermissionCloseReason>;

export const Permission = z.object({
  id: PermissionId,
  turn: z.number().int(),
  title: z.string(),
  tool_kind: z.string().nullable(),
  options: z.array(PermissionOption),
  state: z.enum(["pending", "answered", "closed"]),
  option_id: z.string().optional(),
  reason: PermissionCloseReason.optional(),
});
export type Permission = z.infer<typeof Permission>;
