/** A handle that outlives the call, this program and the client. The journal is its memory. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { currentResult } from "../../client/turn.ts";
import { timeOfUlid } from "../../kit/data/ulid.ts";
import type { Door } from "../base/door.ts";
import { finish } from "./finish.ts";
import { statusWords } from "./wait.ts";
import { taskIdOf, type Work } from "./work.ts";

const POLL_MS = 2000;

/** In place of a result. It carries one all the same, because the tool promises one. */
export const taskHandle = async (
  door: Door,
  work: Work,
): Promise<CallToolResult> => {
  const { session_id, prompt_id } = work;
  const turn = await currentResult(door.client, session_id, prompt_id);
  return {
    ...(await finish(door, work, turn)),
    resultType: "task",
    ...(await taskState(door, work)),
    status: "working",
  };
};

/** What every answer about a task says. */
export const taskState = async (door: Door, work: Work) => {
  const { last_active_at } = await door.client.showSession(work.session_id);
  const createdAt = new Date(timeOfUlid(work.prompt_id.slice(4))).toISOString();
  return {
    taskId: taskIdOf(work),
    statusMessage: await statusWords(door, work),
    createdAt,
    lastUpdatedAt: last_active_at < createdAt ? createdAt : last_active_at,
    ttlMs: null,
    pollIntervalMs: POLL_MS,
  };
};
