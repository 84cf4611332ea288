/** One stream over all sessions and tasks, and what finds a prompt or a session again by a key. */
import * as z from "zod";
import { AgentId } from "../agent/agent.ts";
import { SessionId, TaskId } from "../base/id.ts";
import { Prompt } from "../session/prompt.ts";
import { Session } from "../session/session.ts";
import { Task } from "../task/task.ts";
import { IdempotencyKey, line, StreamQuery } from "./request.ts";

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

export const MostRecentRequest = z.strictObject({
  agent: AgentId,
  cwd: line(4096),
});
export type MostRecentRequest = z.infer<typeof MostRecentRequest>;

export const PromptsQuery = z.strictObject({ key: IdempotencyKey });
export const PromptPage = z.object({
  prompts: z.array(Prompt),
  next: z.null(),
});

export const streamRoutes = {
  streamHome: {
    method: "GET",
    path: "/api/stream",
    summary:
      "Follow all sessions and tasks as server-sent events: each as it stands when it has changed, from now on or from a cursor",
    query: StreamQuery,
    status: 200,
    answer: HomeChange,
    traits: ["stream"],
  },
  chooseMostRecent: {
    method: "POST",
    path: "/api/sessions/most-recent",
    summary:
      "Choose the session of an agent and a directory that was last asked something; the same key chooses the same one again",
    body: MostRecentRequest,
    status: 200,
    answer: Session,
  },
  findPrompts: {
    method: "GET",
    path: "/api/prompts",
    summary:
      "Find the prompts that were given with an idempotency key, in whatever session",
    query: PromptsQuery,
    status: 200,
    answer: PromptPage,
  },
} as const;
