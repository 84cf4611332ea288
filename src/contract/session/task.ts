import * as z from "zod";
import { SessionId, TaskId } from "../base/id.ts";

export const TaskState = z.enum([
  "CREATED",
  "IN_PROGRESS",
  "REVIEW",
  "DONE",
  "CANCELLED",
  "FAILED",
]);
export type TaskState = z.infer<typeof TaskState>;

export const Task = z.object({
  id: TaskId,
  title: z.string(),
  description: z.string(),
  state: TaskState,
  session_ids: z.array(SessionId),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  /** Its title, its description or its time is not what was written. */
  damaged: z.literal(true).optional(),
});
export type Task = z.infer<typeof Task>;
