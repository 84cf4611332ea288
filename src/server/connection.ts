import type { RawData, WebSocket } from "ws";
import type { SocketAnswer } from "../contract/socket.ts";
import { crashPoint } from "../kit/crash-point.ts";
import type { Log } from "../runtime/ports.ts";
import { readFrame } from "./frame.ts";
import { keepAlive } from "./keep-alive.ts";
import type { Operations } from "./operations.ts";
import { showable } from "./problem.ts";
import { socketCalls } from "./socket-calls.ts";
import { createSubscriptions } from "./subscriptions.ts";

/** With so many requests unanswered no more are read. */
const MOST_UNANSWERED = 256;

/**
 * The life of one WebSocket. Requests are carried out in the order in which they came, so that two prompts keep theirs;
 * a resume, which takes as long as the agent needs, does not hold up those behind it.
 */
export const serveConnection = (
  ws: WebSocket,
  parts: { operations: Operations; log: Log; pingMs: number },
): void => {
  const { operations, log } = parts;
  const subscriptions = createSubscriptions({ ws, operations, log });
  const call = socketCalls(operations, subscriptions);
  let lane = Promise.resolve();
  let unanswered = 0;

  const answer = (reply: SocketAnswer): void => {
    ws.send(JSON.stringify(reply), () => {});
    crashPoint("server.after-socket-answer");
    unanswered -= 1;
    if (ws.isPaused) ws.resume();
  };
  const refuse = (id: string | number | null, error: unknown): void => {
    const { code, message } = showable(error, log);
    answer({ id, error: { code, message } });
  };

  const carryOut = async (data: RawData, isBinary: boolean): Promise<void> => {
    const frame = readFrame(data, isBinary);
    if (frame.kind === "refused") return refuse(frame.id, frame.error);
    const { id, method, params } = frame.request;
    const done = call(method, params).then(
      ({ result, afterwards }) => {
        answer({ id, result });
        afterwards?.();
      },
      (error: unknown) => refuse(id, error),
    );
    if (method !== "task.session.resume") await done;
  };

  ws.on("message", (data, isBinary) => {
    unanswered += 1;
    if (unanswered >= MOST_UNANSWERED) ws.pause();
    lane = lane.then(() => carryOut(data, isBinary));
  });
  // `ws` closes by itself after an error (too large a frame, invalid UTF-8); without a listener the process would end.
  ws.on("error", (err) => log.warn({ err }, "a WebSocket broke the protocol"));
  ws.on("close", () => subscriptions.close());
  keepAlive(ws, parts.pingMs);
};
