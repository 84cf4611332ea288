/**
 * Who gives no sign of life is frozen, or cannot be told from it; who is busy still answers a ping. But it may have been
 * us who were frozen: time in which we did not run does not count, and silence is only believed after a look at what
 * has come meanwhile.
 */
import type { WebSocket } from "ws";
import { didNotRun, runningFor } from "../../kit/time/running.ts";

/** Asks for a sign of life at once, and again and again. Calls back when there was none between two times. */
export const onSilence = (
  socket: WebSocket,
  everyMs: number,
  callBack: () => void,
): void => {
  let seen = false;
  let since = 0;
  const noteSign = (): void => {
    seen = true;
  };
  const ask = (): void => {
    seen = false;
    since = performance.now();
    socket.ping();
  };
  const judge = (): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (seen || didNotRun(since, everyMs)) ask();
    else callBack();
  };
  socket.on("pong", noteSign);
  socket.on("message", noteSign);
  const timer = setInterval(() => setImmediate(judge), everyMs);
  timer.unref();
  socket.once("close", () => clearInterval(timer));
  ask();
};

/** What comes of the work, or null when nothing has after `ms`. */
export const unlessSilent = async <T>(
  work: Promise<T>,
  ms: number,
): Promise<T | null> => {
  const over = new AbortController();
  const late = runningFor(ms, over.signal).then(() => null);
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
    late.catch(() => null);
    work.catch(() => null);
  }
};
