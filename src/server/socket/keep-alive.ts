import type { WebSocket } from "ws";

/** Ends a connection whose other side has gone without saying so: it did not answer a ping by the time of the next. */
export const keepAlive = (ws: WebSocket, everyMs: number): void => {
  let answered = true;
  const timer = setInterval(() => {
    // While reading is paused no pong can be seen.
    if (!answered && !ws.isPaused) return ws.terminate();
    answered = false;
    ws.ping();
  }, everyMs);
  timer.unref();
  ws.on("pong", () => (answered = true));
  ws.on("close", () => clearInterval(timer));
};
