/** One WebSocket: requests and their answers, signs of life, and everything else that comes, in its order. */
import type { SocketRequest } from "../../contract/api/socket.ts";
import { isRecord } from "../../kit/data/is-record.ts";
import { type Server, target } from "../call.ts";
import { socketRefusal } from "../refusal.ts";
import { watchForSilence } from "../silence.ts";
import { ServerUnreachable } from "../unreachable-server.ts";
import type { Ask } from "./channel.ts";

/** What browsers, Node from 22 on and the package `ws` call `WebSocket`. */
export type SocketClass = new (url: string, protocols?: string[]) => SocketLike;

interface SocketLike {
  binaryType: string;
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(): void;
  addEventListener(
    type: "open" | "message" | "close" | "error",
    listener: (event: { type: string; data?: unknown; code?: number }) => void,
  ): void;
}

export interface SocketEvents {
  opened(): void;
  /** A message that is no answer: an event of a session, `{home}` or `{heartbeat}`. */
  told(message: Record<string, unknown>): void;
  binary(bytes: Uint8Array<ArrayBuffer>): void;
  /** Called once, and then nothing more. */
  lost(reason: Error, wasOpen: boolean): void;
}

export interface LiveSocket {
  ask: Ask;
  sendBinary(bytes: Uint8Array<ArrayBuffer>): void;
  /** Gives it up: `lost` is called with the reason. */
  drop(reason: Error): void;
}

const SOCKET_PATH = "/api/ws";

export const openSocket = (
  server: Server,
  { make, silence_ms }: { make: SocketClass; silence_ms: number },
  events: SocketEvents,
): LiveSocket => {
  const { token, url, reading } = server;
  const socket = new make(
    target(server, SOCKET_PATH, {}).href.replace(/^http/, "ws"),
    // A browser sends its cookie by itself, and can send no header.
    token === undefined ? [] : [`bearer.${token}`],
  );
  socket.binaryType = "arraybuffer";
  const asked = new Map<string, Parameters<Ask>[2 | 3][]>();
  const silence = watchForSilence(silence_ms, undefined);
  let requests = 0;
  let wasOpen = false;
  let isOver = false;

  const drop = (reason: Error): void => {
    if (isOver) return;
    isOver = true;
    silence.close();
    socket.close();
    const gone = new ServerUnreachable(url, "The connection was lost.", reason);
    const unanswered = [...asked.values()];
    asked.clear();
    events.lost(reason, wasOpen);
    for (const [, refused] of unanswered) refused?.(gone);
  };
  silence.signal.addEventListener("abort", () =>
    drop(new Error(`Nothing was heard for ${silence_ms} ms.`)),
  );

  const ask: Ask = (method, params, answered, refused) => {
    if (isOver || !wasOpen)
      return refused(new ServerUnreachable(url, "There is no connection."));
    const id = `${(requests += 1)}`;
    asked.set(id, [answered, refused]);
    const request = { id, method, params: { ...params } };
    socket.send(JSON.stringify(request satisfies SocketRequest));
  };

  const read = (data: unknown): void => {
    const message: unknown = JSON.parse(String(data));
    if (!isRecord(message)) throw new Error("It is no message.");
    const id = message["id"];
    if (typeof id !== "string") return events.told(message);
    const [answered, refused] = asked.get(id) ?? [];
    asked.delete(id);
    if (message["error"] === undefined) answered?.(message["result"]);
    else refused?.(socketRefusal(reading, message["error"]));
  };

  socket.addEventListener("open", () => {
    if (isOver) return socket.close();
    wasOpen = true;
    silence.heard();
    ask("connection.heartbeat", beatFor(silence_ms), ignore, ignore);
    events.opened();
  });
  socket.addEventListener("message", ({ data }) => {
    if (isOver) return;
    silence.heard();
    if (data instanceof ArrayBuffer) return events.binary(new Uint8Array(data));
    try {
      read(data);
    } catch (error) {
      drop(new Error("What the server sent cannot be used.", { cause: error }));
    }
  });
  socket.addEventListener("error", () =>
    drop(new Error("The connection broke.")),
  );
  socket.addEventListener("close", ({ code }) =>
    drop(new Error(`The connection was closed (${code ?? "no code"}).`)),
  );

  return {
    ask,
    sendBinary(bytes) {
      if (!isOver && wasOpen) socket.send(bytes);
    },
    drop,
  };
};

/** Three chances to be heard before it is silence. */
const beatFor = (silence_ms: number): { every_ms: number } => ({
  every_ms: Math.min(60_000, Math.max(1_000, Math.floor(silence_ms / 3))),
});

const ignore = (): void => undefined;
