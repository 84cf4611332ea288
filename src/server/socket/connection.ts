import type { RawData, WebSocket } from "ws";
import { problemOf } from "../../contract/problem/problem.ts";
import type { SocketAnswer } from "../../contract/api/socket.ts";
import { crashPoint } from "../../kit/crash-point.ts";
import { Lane } from "../../kit/time/lanes.ts";
import type { Log } from "../../runtime/ports/home.ts";
import { readFrame } from "./frame.ts";
import { createHeartbeat } from "./heartbeat.ts";
import type { Operations } from "../ask/operations.ts";
import { createOutbox } from "./outbox.ts";
import { showable } from "../answer/problem.ts";
import { createShellAttachments } from "./shell-attachments.ts";
import { socketCalls } from "./socket-calls.ts";
import { createSubscriptions } from "./subscriptions.ts";

/** With so many requests unanswered, or so many bytes of them, no more are read. */
const MAX_UNANSWERED = 256;
const MAX_UNANSWERED_BYTES = 16 * 1024 * 1024;

/**
 * The life of one WebSocket. Requests are carried out in the order in which they came, so that two prompts keep theirs;
 * a resume, which takes as long as the agent needs, does not hold up those behind it. While a client does not take its
 * answers, its next requests are neither carried out nor read.
 */
export const serveConnection = (
  ws: WebSocket,
  parts: { operations: Operations; log: Log; pingMs: number },
): void => {
  const { operations, log } = parts;
  const lane = new Lane();
  let unanswered = 0;
  let unansweredBytes = 0;
  const readOrWait = (): void => {
    const mustWait =
      unanswered >= MAX_UNANSWERED ||
      unansweredBytes >= MAX_UNANSWERED_BYTES ||
      outbox.isFull();
    if (mustWait) ws.pause();
    else if (ws.isPaused) ws.resume();
  };
  const outbox = createOutbox(ws, readOrWait);
  const subscriptions = createSubscriptions({ ws, outbox, operations, log });
  const heartbeat = createHeartbeat(ws, outbox);
  const attachments = createShellAttachments({ ws, outbox, log });
  const call = socketCalls(operations, {
    subscriptions,
    heartbeat,
    attachments,
  });

  const answer = (reply: SocketAnswer): void => {
    outbox.send(JSON.stringify(reply));
    crashPoint("server.after-socket-answer");
  };
  const refuse = (id: string | number | null, error: unknown): void => {
    const {
      type: _type,
      title: _title,
      status: _status,
      detail: message,
      ...facts
    } = problemOf(showable(error, log));
    answer({ id, error: { message, ...facts } });
  };

  const carryOut = async (data: RawData, isBinary: boolean): Promise<void> => {
    const size = sizeOf(data);
    const settled = (): void => {
      unanswered -= 1;
      unansweredBytes -= size;
      readOrWait();
    };
    const frame = readFrame(data, isBinary);
    if (frame.kind === "refused") {
      refuse(frame.id, frame.error);
      return settled();
    }
    const { id, method, params } = frame.request;
    const done = call(method, params)
      .then(
        ({ result, afterwards }) => {
          answer({ id, result });
          afterwards?.();
        },
        (error: unknown) => refuse(id, error),
      )
      .then(settled);
    if (method !== "task.session.resume") await done;
  };

  ws.on("message", (data, isBinary) => {
    unanswered += 1;
    unansweredBytes += sizeOf(data);
    readOrWait();
    void lane.run(async () => {
      await outbox.room();
      await carryOut(data, isBinary);
    });
  });
  // `ws` closes by itself after an error (too large a frame, invalid UTF-8); without a listener the process would end.
  ws.on("error", (err) => log.warn({ err }, "a WebSocket broke the protocol"));
  ws.on("close", () => {
    subscriptions.close();
    attachments.close();
  });
  keepAlive(ws, parts.pingMs);
};

const sizeOf = (data: RawData): number =>
  Array.isArray(data)
    ? data.reduce((sum, piece) => sum + piece.length, 0)
    : data.byteLength;

/** Ends a connection whose other side has gone without saying so: it did not answer a ping by the time of the next. */
const keepAlive = (ws: WebSocket, everyMs: number): void => {
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
