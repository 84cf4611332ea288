/** One stream over all sessions and tasks. */
import * as z from "zod";
import { endpoint } from "./route-table.ts";
import { SessionId, TaskId } from "../base/id.ts";
import { Session } from "../session/session.ts";
import { Task } from "../task/task.ts";
import { StreamQuery } from "./request.ts";

/** `seq` grows with every change of the home; it is the cursor. */
const seq = z.int();
export const HomeChange = z.discriminatedUnion("type", [
  /** The first of a connection: where it begins. */
  z.object({ seq, type: z.literal("stream.opened") }),
  /** What changed since the cursor cannot be told: lists have to be read again. The stream goes on from here. */
  z.object({ seq, type: z.literal("stream.reset") }),
  /** As lists show it. */
  z.object({ seq, type: z.literal("session.changed"), session: Session }),
  /** It was in the trash, and is gone for good. */
  z.object({ seq, type: z.literal("session.removed"), session_id: SessionId }),
  z.object({ seq, type: z.literal("task.changed"), task: Task }),
  /** It was in the trash, and is gone for good. */
  z.object({ seq, type: z.literal("task.removed"), task_id: TaskId }),
]);
export type HomeChange = z.infer<typeof HomeChange>;

export const streamRoutes = {
  streamHome: {
    ...endpoint("streamHome"),
    summary:
      "Follow all sessions and tasks as server-sent events: each as it stands when it has changed, from now on or from a cursor",
    query: StreamQuery,
    answer: HomeChange,
    traits: ["stream"],
  },
} as const;
