/**
 * The other machine may be gone without a word, and then its connection stays for hours. It is asked for a sign of life
 * again and again; whatever comes from it is one. Time in which we did not run ourselves does not count.
 */
import type { WebSocket } from "ws";
import { didNotRun } from "../../kit/time/running.ts";

export const endWhenSilent = (
  socket: WebSocket,
  {
    everyMs,
    silenceMs,
    heard,
  }: {
    everyMs: number;
    silenceMs: number;
    /** How many bytes have come so far. */
    heard: () => number;
  },
): void => {
  let known = heard();
  let silentMs = 0;
  let asked = performance.now();
  const look = (): void => {
    if (heard() !== known) silentMs = 0;
    else if (!didNotRun(asked, everyMs)) silentMs += everyMs;
    known = heard();
    asked = performance.now();
    if (silentMs >= silenceMs) return socket.terminate();
    if (socket.readyState === socket.OPEN) socket.ping();
  };
  // What came while the timer was due is read before it is looked at.
  const timer = setInterval(() => setImmediate(look), everyMs);
  timer.unref();
  socket.once("close", () => clearInterval(timer));
};
