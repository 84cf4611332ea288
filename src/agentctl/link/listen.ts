import { timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { chmodSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { dirname } from "node:path";
import { type WebSocket, WebSocketServer } from "ws";
import { Connection, type LinkContext } from "./connection.ts";

const MOST_PAYLOAD = 256 * 1024 * 1024;

export interface Listening {
  close(): Promise<void>;
}

/** The link's server: `GET /health` and the WebSocket `/link` on a unix socket, both with the token. Whoever calls this holds the lock. */
export const listen = async (
  socketPath: string,
  token: string,
  context: Omit<LinkContext, "onHello">,
): Promise<Listening> => {
  const connections = new Set<Connection>();
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MOST_PAYLOAD,
    perMessageDeflate: false,
  });
  const accept = (socket: WebSocket): void => {
    const connection = new Connection(socket, {
      ...context,
      onHello: (it) => closeOlder(connections, it),
    });
    connections.add(connection);
    socket.on("close", () => connections.delete(connection));
  };
  const server = createServer((request, response) => {
    const status = statusOf(request, token, "/health");
    response.writeHead(status, { "content-type": "application/json" });
    response.end(
      status === 200
        ? JSON.stringify({ status: "ok", build: context.build })
        : "",
    );
  });
  server.on("upgrade", (request, socket, head) => {
    const status = statusOf(request, token, "/link");
    if (status === 200) sockets.handleUpgrade(request, socket, head, accept);
    else socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\n\r\n`);
  });
  await mkdir(dirname(socketPath), { recursive: true, mode: 0o700 });
  await rm(socketPath, { force: true });
  // Nobody may connect between bind and chmod.
  const mask = process.umask(0o177);
  try {
    server.listen(socketPath);
    await once(server, "listening");
  } finally {
    process.umask(mask);
  }
  chmodSync(socketPath, 0o600);
  return {
    close: async () => {
      server.close();
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await rm(socketPath, { force: true });
    },
  };
};

const closeOlder = (all: Set<Connection>, newest: Connection): void => {
  for (const each of all)
    if (each.term !== null && each.term < (newest.term ?? 0))
      each.close("term_superseded");
};

const statusOf = (
  request: IncomingMessage,
  token: string,
  path: string,
): number => {
  const given = Buffer.from(request.headers.authorization ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    return 401;
  return request.method === "GET" && request.url === path ? 200 : 404;
};
