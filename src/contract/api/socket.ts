import * as z from "zod";
import { SessionId, TaskId } from "../base/id.ts";
import type { Problem } from "../problem/problem.ts";
import {
  IdempotencyKey,
  isOneOfBoth,
  PermissionAnswer,
  promptFields,
  ResumeRequest,
} from "./request.ts";
import type { HomeChange } from "./stream-route.ts";
import { shellMethods } from "./shell/shell-method.ts";

const session = { session_id: SessionId, task_id: TaskId.optional() };
const keyed = { idempotency_key: IdempotencyKey.optional() };

/** The methods of `/api/ws`. Where a task is given too, the session must belong to it. */
export const socketMethods = {
  "task.session.status": z.strictObject(session),
  "task.session.resume": z.strictObject({
    ...session,
    ...ResumeRequest.shape,
    ...keyed,
  }),
  "task.session.list": z.strictObject({ task_id: TaskId }),
  "session.subscribe": z.strictObject({
    ...session,
    after: z.number().int().nonnegative().default(0),
  }),
  "session.unsubscribe": z.strictObject(session),
  /** All sessions and tasks, as `GET /api/stream` tells of them. */
  "sessions.subscribe": z.strictObject({
    after: z.number().int().nonnegative().optional(),
  }),
  "sessions.unsubscribe": z.strictObject({}),
  "connection.heartbeat": z.strictObject({
    every_ms: z.number().int().min(1000).max(60_000),
  }),
  "session.prompt": z
    .strictObject({ ...session, ...promptFields, ...keyed })
    .refine(isOneOfBoth, "give either text or content"),
  "session.cancel": z.strictObject(session),
  "session.permit": z.strictObject({
    ...session,
    request_id: z.string(),
    ...PermissionAnswer.shape,
  }),
  ...shellMethods,
} as const;
export type SocketMethod = keyof typeof socketMethods;

export const SocketRequest = z.object({
  id: z.union([z.string(), z.number()]),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).default({}),
});
export type SocketRequest = z.infer<typeof SocketRequest>;

export type SocketAnswer =
  | { id: string | number; result: unknown }
  | { id: string | number | null; error: SocketError };

/** What comes unasked, besides the bare events of subscribed sessions. Neither has an `id`, a `seq` or a `type` of its own. */
export type SocketNews =
  /** With `sessions.subscribe`. */
  | { home: HomeChange }
  /** With `connection.heartbeat`: the server's time. */
  | { heartbeat: { at: string } };

/** What REST tells in a problem: `message` is its `detail`. */
export type SocketError = { message: string } & Omit<
  Problem,
  "type" | "title" | "status" | "detail"
>;
