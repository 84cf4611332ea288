/** Tasks of the protocol's extension: the methods by which a client asks about those it was given a handle of. */
import {
  type InputRequests,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { currentResult, type TurnResult } from "../../client/turn.ts";
import { PermissionId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Caller } from "../base/caller.ts";
import type { Door } from "../base/door.ts";
import { cancelWork } from "./cancel.ts";
import { finish } from "./finish.ts";
import {
  answerByForm,
  chosenOption,
  formOf,
  isUnanswered,
  leaveUnanswered,
} from "./form.ts";
import { taskState } from "./task-handle.ts";
import { namedByTask, type Work, workOf } from "./work.ts";

const TaskParams = z.object({ taskId: z.string() });

export const serveTasks = (
  { server }: McpServer,
  door: Door,
  callerOf: (ctx: ServerContext) => Caller,
): void => {
  const schemas = { params: TaskParams };
  server.setRequestHandler("tasks/get", schemas, async ({ taskId }, ctx) =>
    taskNow(door, await findWork(door, taskId), callerOf(ctx)),
  );
  server.setRequestHandler("tasks/cancel", schemas, async ({ taskId }) => {
    await cancelWork(door.client, await findWork(door, taskId));
    return {};
  });
  server.setRequestHandler("tasks/update", schemas, async ({ taskId }, ctx) => {
    const work = await findWork(door, taskId);
    await takeAnswers(door, work, ctx.mcpReq.inputResponses ?? {});
    return {};
  });
};

const taskNow = async (door: Door, work: Work, caller: Caller) => {
  const { session_id, prompt_id } = work;
  const turn = await currentResult(door.client, session_id, prompt_id);
  const state = await taskState(door, work);
  const inputRequests = formsOf(door, work, turn, caller);
  if (inputRequests !== null)
    return { ...state, status: "input_required", inputRequests };
  switch (turn.status) {
    case "working":
      return { ...state, status: "working" };
    case "cancelled":
      return { ...state, status: "cancelled" };
    case "completed":
    case "needs_permission":
    case "interrupted":
    case "failed": {
      const result = await finish(door, work, turn);
      return { ...state, status: "completed", result };
    }
  }
};

/** What a person can be asked; null when there is nothing to ask, or nobody. */
const formsOf = (
  door: Door,
  { session_id, agent }: Work,
  { pending_permissions }: TurnResult,
  caller: Caller,
): InputRequests | null => {
  if (!caller.showsForms) return null;
  const open = pending_permissions.filter(
    ({ id }) => !isUnanswered(door, session_id, id),
  );
  return open.length === 0
    ? null
    : Object.fromEntries(
        open.map((permission) => [permission.id, formOf(agent, permission)]),
      );
};

const takeAnswers = async (
  door: Door,
  { session_id }: Work,
  responses: Record<string, unknown>,
): Promise<void> => {
  for (const field of Object.keys(responses)) {
    const id = PermissionId.safeParse(field);
    // What names no permission request was never asked.
    if (!id.success) continue;
    const option = chosenOption(responses, field);
    if (option === null) leaveUnanswered(door, session_id, id.data);
    else await answerByForm(door.client, session_id, id.data, option);
  }
};

const findWork = async (door: Door, taskId: string): Promise<Work> => {
  const named = namedByTask(taskId);
  if (named === null) throw unknownTask(taskId);
  try {
    const session = await door.client.showSession(named.session_id);
    return await workOf(door.client, session, named.prompt_id);
  } catch (error) {
    if (error instanceof RepriseError) throw unknownTask(taskId);
    throw error;
  }
};

const unknownTask = (taskId: string): ProtocolError =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no task ${JSON.stringify(taskId.slice(0, 100))}.`,
  );
