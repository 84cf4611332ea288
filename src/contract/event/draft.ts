/** What is kept of a request between its effect and its answer. It rests in a receipt. */
import * as z from "zod";
import { RewindPlan } from "../session/checkpoint.ts";
import { SessionId, TaskId } from "../base/id.ts";

/** Nothing has to be known to finish it. */
export const NoDraft = z.null();

/** A session was made. */
export const MadeSession = z.object({ id: SessionId });
export type MadeSession = z.infer<typeof MadeSession>;

/** A task was made. */
export const MadeTask = z.object({ id: TaskId });

/** What will change, and the event with which it began; null where it is only looked at. */
export const BegunRewind = z.object({
  plan: RewindPlan,
  seq: z.number().int().nullable(),
});
export type BegunRewind = z.infer<typeof BegunRewind>;

/** The change that an agent has to confirm; null where none runs, and all is done. */
export const BegunChange = z.object({ change: z.number().int().nullable() });
export type BegunChange = z.infer<typeof BegunChange>;
