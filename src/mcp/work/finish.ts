import { access } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { TurnResult } from "../../client/turn.ts";
import type { Door } from "../base/door.ts";
import { describeResult, filesOf, resultAnswer } from "./result.ts";
import { messagesBefore, type Work } from "./work.ts";

/** The result as a tool answers with it. The session's log is there by then. */
export const finish = async (
  door: Door,
  work: Work,
  turn: TurnResult,
): Promise<CallToolResult> => {
  const directory = await door.sessionsDirectory();
  if (directory !== null)
    await isWritten(filesOf(join(directory, work.session_id)).sessionLog);
  const counted = { ...work, ...(await historyOf(door, work, turn)) };
  return resultAnswer(describeResult(counted, turn, directory));
};

/** How many messages there were before, unless that was counted. Who asks how a turn is getting on is not told it. */
const historyOf = async (
  { client }: Door,
  { session_id, isContinuation, existingHistory }: Work,
  { status, turn }: TurnResult,
): Promise<Pick<Work, "existingHistory">> => {
  if (existingHistory !== undefined) return { existingHistory };
  if (!isContinuation) return { existingHistory: 0 };
  if (status === "working" || status === "needs_permission") return {};
  return { existingHistory: await messagesBefore(client, session_id, turn) };
};

const LOG_MS = 5000;
const LOOK_MS = 20;

/** The server writes the log behind the events that it tells of, so it may be a moment behind what we know. */
const isWritten = async (path: string): Promise<void> => {
  for (const until = Date.now() + LOG_MS; Date.now() < until;) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await delay(LOOK_MS);
  }
};
