import * as z from "zod";
import { MessageId } from "../base/id.ts";
import { Tool } from "../agent/tool.ts";

export const MessageRole = z.enum([
  "user",
  "agent",
  "thought",
  "tool",
  "notice",
]);
export type MessageRole = z.infer<typeof MessageRole>;

export const Message = z.object({
  id: MessageId,
  turn: z.number().int(),
  role: MessageRole,
  text: z.string(),
  tool: Tool.optional(),
  /** Of a notice: what it is about; not said by older releases. */
  code: z.string().optional(),
  /** The message that this one goes on with: what was said is the text of all of them together. */
  continues: MessageId.optional(),
  at: z.iso.datetime(),
});
export type Message = z.infer<typeof Message>;
