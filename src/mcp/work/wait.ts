/** Waiting for a turn on behalf of a call, which ends sooner than the turn as often as not. */
import {
  currentResult,
  turnResult,
  type TurnResult,
} from "../../client/turn.ts";
import { inBackground } from "../base/door.ts";
import { timesOf } from "../base/parts.ts";
import type { Call } from "../base/tool.ts";
import { oneLine } from "../base/words.ts";
import { cancelWork } from "./cancel.ts";
import type { Work } from "./work.ts";

/** Resolves with the turn when it is over or needs somebody; null when the time is over first. */
export const waitForTurn = async (
  { door, ctx }: Call,
  work: Work,
  ms: number,
): Promise<TurnResult | null> => {
  const { client, closing } = door;
  const { session_id, prompt_id } = work;
  if (ms <= 0)
    return orNull(await currentResult(client, session_id, prompt_id));
  const time = AbortSignal.timeout(ms);
  const signal = AbortSignal.any([ctx.mcpReq.signal, closing, time]);
  try {
    const { filesMs } = timesOf(door);
    return await turnResult(client, session_id, prompt_id, {
      signal,
      filesWithinMs: filesMs,
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    return orNull(await currentResult(client, session_id, prompt_id));
  }
};

const orNull = (result: TurnResult): TurnResult | null =>
  result.status === "working" ? null : result;

/** Tells how the agent is getting on for as long as something waits. Clients that show it keep the call alive by it. */
export const withProgress = async <T>(
  { door, ctx, caller }: Call,
  work: Work,
  waiting: () => Promise<T>,
): Promise<T> => {
  const { progressToken } = caller;
  if (progressToken === null) return waiting();
  const { progressMs } = timesOf(door);
  const from = performance.now();
  const tell = async (): Promise<void> => {
    const seconds = Math.round((performance.now() - from) / 1000);
    await ctx.mcpReq.notify({
      method: "notifications/progress",
      params: {
        progressToken,
        progress: Math.max(seconds, 1),
        message: await statusWords(door, work),
      },
    });
  };
  const timer = setInterval(() => void tell().catch(() => {}), progressMs);
  try {
    return await waiting();
  } finally {
    clearInterval(timer);
  }
};

/** What the agent is at, in one line. */
export const statusWords = async (
  { client }: Pick<Call["door"], "client">,
  { session_id, agent }: Pick<Work, "session_id" | "agent">,
): Promise<string> => {
  const { last_words } = await client.showSession(session_id);
  return last_words === null
    ? `${agent} is working`
    : `${agent}: ${oneLine(last_words)}`;
};

/** What of a call has to do with its end. */
interface Watched {
  door: Call["door"];
  caller: Pick<Call["caller"], "habits">;
  ctx: { mcpReq: { signal: AbortSignal } };
}
type WorkName = Pick<Work, "session_id" | "prompt_id">;

/**
 * What the end of a call means for its turn. Time-outs, closed streams and clients that went away only detach: the agent goes
 * on, and the result can be fetched later. What names the user cancels the turn.
 */
export const watchForCancel = (call: Watched, work: WorkName): void => {
  const { door, ctx, caller } = call;
  const { signal } = ctx.mcpReq;
  // Before a form was shown, the same call was watched already.
  stopWatching(call);
  const ended = (): void => {
    if (door.onCancel === "cancel" || isByUser(signal.reason, caller))
      inBackground(door, cancelWork(door.client, work));
  };
  if (signal.aborted) ended();
  else {
    signal.addEventListener("abort", ended);
    door.watched.set(signal, ended);
  }
};

/** The call is answered: what ends it later means nothing for the turn. */
export const stopWatching = ({ door, ctx }: Watched): void => {
  const { watched } = door;
  const { signal } = ctx.mcpReq;
  const ended = watched.get(signal);
  if (ended !== undefined) signal.removeEventListener("abort", ended);
  watched.delete(signal);
};

const isByUser = (reason: unknown, { habits }: Watched["caller"]): boolean =>
  habits.tellsUserFromTimeout &&
  typeof reason === "string" &&
  /\buser\b/i.test(reason) &&
  !/time[d ]?-?\s?out/i.test(reason);
