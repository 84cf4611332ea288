import type { z } from "zod";
import type { SessionId, TaskId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { type SocketMethod, socketMethods } from "../../contract/api/socket.ts";
import { readPermissionId } from "../ask/ask.ts";
import { refuseCursor } from "../ask/cursor.ts";
import type { Operations } from "../ask/operations.ts";
import { parse } from "../ask/parse.ts";
import { refuseLargePrompt } from "../ask/prompt-size.ts";
import type { Heartbeat } from "./heartbeat.ts";
import type { Outcome } from "./outcome.ts";
import type { ShellAttachments } from "./shell-attachments.ts";
import { shellCalls } from "./shell-calls.ts";
import type { Subscriptions } from "./subscriptions.ts";

/** What a connection has that its methods change. */
export interface ConnectionParts {
  subscriptions: Subscriptions;
  heartbeat: Heartbeat;
  attachments: ShellAttachments;
}

const MAX_LISTED = 1000;

/** The methods of the WebSocket: each parses, calls one operation, and gives its result. */
export const socketCalls = (
  operations: Operations,
  { subscriptions, heartbeat, attachments }: ConnectionParts,
): ((method: string, params: unknown) => Promise<Outcome>) => {
  const calls: Record<SocketMethod, (params: unknown) => Promise<Outcome>> = {
    "task.session.status": on(
      socketMethods["task.session.status"],
      async (params) => {
        await requireOfTask(operations, params);
        return { result: await operations.sessionStatus(params.session_id) };
      },
    ),

    "task.session.resume": on(
      socketMethods["task.session.resume"],
      async ({ session_id, task_id, idempotency_key, ...request }) => {
        await requireOfTask(operations, { session_id, task_id });
        return {
          result: await operations.resumeSession(
            session_id,
            request,
            idempotency_key,
          ),
        };
      },
    ),

    "task.session.list": on(
      socketMethods["task.session.list"],
      async ({ task_id }) => {
        await operations.showTask(task_id);
        const filter = { task_id, limit: MAX_LISTED };
        return { result: await operations.listSessions(filter) };
      },
    ),

    "session.subscribe": on(
      socketMethods["session.subscribe"],
      async (params) => {
        const { session_id, after } = params;
        await refuseCursor(operations, session_id, after);
        await requireOfTask(operations, params);
        const last_seq = await operations.journalEnd(session_id);
        return {
          result: { session_id, after, last_seq },
          afterwards: () => subscriptions.open(session_id, after),
        };
      },
    ),

    "session.unsubscribe": on(
      socketMethods["session.unsubscribe"],
      async (params) => {
        await requireOfTask(operations, params);
        subscriptions.end(params.session_id);
        return { result: { session_id: params.session_id } };
      },
    ),

    "sessions.subscribe": on(
      socketMethods["sessions.subscribe"],
      async ({ after }) => ({
        result: { after: after ?? null },
        afterwards: () => subscriptions.openHome(after),
      }),
    ),

    "sessions.unsubscribe": on(
      socketMethods["sessions.unsubscribe"],
      async () => {
        subscriptions.endHome();
        return { result: {} };
      },
    ),

    "connection.heartbeat": on(
      socketMethods["connection.heartbeat"],
      async ({ every_ms }) => ({
        result: { every_ms },
        afterwards: () => heartbeat.every(every_ms),
      }),
    ),

    "session.prompt": on(
      socketMethods["session.prompt"],
      async ({ session_id, task_id, idempotency_key, ...request }) => {
        refuseLargePrompt(request);
        await requireOfTask(operations, { session_id, task_id });
        return {
          result: await operations.queuePrompt(
            session_id,
            request,
            idempotency_key,
          ),
        };
      },
    ),

    "session.cancel": on(socketMethods["session.cancel"], async (params) => {
      await requireOfTask(operations, params);
      return { result: await operations.cancelTurn(params.session_id) };
    }),

    "session.permit": on(socketMethods["session.permit"], async (params) => {
      const { session_id, request_id, option_id } = params;
      const request = readPermissionId(request_id);
      await requireOfTask(operations, params);
      return {
        result: await operations.answerPermission(
          session_id,
          request,
          option_id,
        ),
      };
    }),

    ...shellCalls(operations, attachments),
  };

  return async (method, params) => {
    if (isMethod(method)) return calls[method](params);
    throw new RepriseError(
      "not_found",
      `There is no method ${JSON.stringify(method.slice(0, 100))}; there are ${Object.keys(socketMethods).join(", ")}.`,
    );
  };
};

const on =
  <S extends z.ZodType>(
    schema: S,
    run: (params: z.output<S>) => Promise<Outcome>,
  ) =>
  async (params: unknown): Promise<Outcome> =>
    run(parse(schema, params, "The params"));

const isMethod = (method: string): method is SocketMethod =>
  Object.hasOwn(socketMethods, method);

/** Where a task is named, the session must be one of its. */
const requireOfTask = async (
  operations: Operations,
  params: { session_id: SessionId; task_id?: TaskId | undefined },
): Promise<void> => {
  const { session_id, task_id } = params;
  if (task_id === undefined) return;
  const session = await operations.showSession(session_id);
  if (session.task_id !== task_id)
    throw new RepriseError(
      "session_not_of_task",
      `The session ${session_id} does not belong to the task ${task_id}.`,
    );
};
