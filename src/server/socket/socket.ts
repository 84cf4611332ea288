import { type IncomingMessage, STATUS_CODES } from "node:http";
import { Socket as NetSocket } from "node:net";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { RepriseError } from "../../contract/problem/problem.ts";
import { MAX_BODY_BYTES } from "../../contract/api/request.ts";
import { within } from "../../kit/time/deadline.ts";
import type { Log } from "../../runtime/ports/home.ts";
import { serveConnection } from "./connection.ts";
import { offeredSubprotocol } from "../door/credential.ts";
import { type Door, refuseForeign, requireToken } from "../door/door.ts";
import type { Operations } from "../ask/operations.ts";
import { problemResponse, showable } from "../answer/problem.ts";
import { headerOf } from "../ask/read-header.ts";

export const SOCKET_PATH = "/api/ws";
const PING_MS = 30_000;
/** How long a client may take nothing of what waits for it. */
const STALLED_MS = 60_000;
const GOING_AWAY = 1001;

export interface Socket {
  /** Takes over a connection that asks to become a WebSocket, or refuses it with an HTTP answer. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Says goodbye to everybody and waits for them, but not longer than `graceMs`. */
  close(graceMs: number): Promise<void>;
}

export const createSocket = (
  parts: Door & {
    operations: Operations;
    log: Log;
    pingMs?: number;
    stalledMs?: number;
  },
): Socket => {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_BODY_BYTES,
    // Compression costs a window per connection and opens side channels; events are small and local.
    perMessageDeflate: false,
    handleProtocols: (_, request) =>
      offeredSubprotocol(headerOf(request)) ?? false,
  });

  return {
    upgrade(request, socket, head) {
      socket.on("error", () => socket.destroy());
      try {
        admit(parts, request);
      } catch (error) {
        refuse(socket, showable(error, parts.log)).catch(() =>
          socket.destroy(),
        );
        return;
      }
      server.handleUpgrade(request, socket, head, (ws) => {
        const { operations, log, pingMs = PING_MS } = parts;
        serveConnection(ws, { operations, log, pingMs });
        if (socket instanceof NetSocket)
          cutOffStalled(socket, parts.stalledMs ?? STALLED_MS);
      });
    },

    async close(graceMs) {
      const clients = [...server.clients];
      const gone = Promise.all(clients.map(sayGoodbye));
      await within("closing the WebSockets", graceMs, gone).catch(() => {
        for (const client of clients) client.terminate();
      });
      server.close();
    },
  };
};

const admit = (door: Door, request: IncomingMessage): void => {
  const header = headerOf(request);
  refuseForeign(door, header, { openPage: false });
  // Over it everything can be done.
  requireToken(door, header, { changes: true });
  const path = request.url?.split("?")[0] ?? "";
  if (path !== SOCKET_PATH)
    throw new RepriseError(
      "not_found",
      `There is no WebSocket at ${path.slice(0, 200)}; it is at ${SOCKET_PATH}.`,
    );
};

const refuse = async (socket: Duplex, error: RepriseError): Promise<void> => {
  const response = problemResponse(error, { connection: "close" });
  const body = await response.text();
  response.headers.set("content-length", String(Buffer.byteLength(body)));
  const lines = [...response.headers].map(
    ([name, value]) => `${name}: ${value}`,
  );
  const status = `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ""}`;
  socket.end([status, ...lines, "", body].join("\r\n"));
};

const sayGoodbye = (client: WebSocket): Promise<void> =>
  new Promise((resolve) => {
    client.once("close", () => resolve());
    client.close(GOING_AWAY, "the server is stopping");
  });

/**
 * Cuts off a client that takes nothing of what waits for it for `ms`. What is being worked on may take as long as it
 * needs: while nothing waits to be sent, time does not count. Slow is not stalled: the socket's own timer starts again
 * with every byte that leaves.
 */
const cutOffStalled = (socket: NetSocket, ms: number): void => {
  socket.setTimeout(ms);
  socket.on("timeout", () => {
    if (socket.writableLength > 0) socket.destroy();
    else socket.setTimeout(ms);
  });
};
