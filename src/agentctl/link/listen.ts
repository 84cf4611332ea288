import { timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { chmodSync, lstatSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { dirname } from "node:path";
import { type WebSocket, WebSocketServer } from "ws";
import { placeDurably } from "../../kit/durable-file.ts";
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
  // Bound under another name, as long as its own: it appears with its mode, and closing it does not remove whatever has the name by then.
  const draft = `${socketPath.slice(0, -1)}~`;
  await rm(draft, { force: true });
  server.listen(draft);
  await once(server, "listening");
  // Without a descriptor left a connection cannot be taken. That is no reason to leave the agents alone.
  server.on("error", (error) =>
    context.log("cannot take a connection", { error: error.message }),
  );
  chmodSync(draft, 0o600);
  const ours = inodeOf(draft);
  await placeDurably(draft, socketPath);
  return {
    close: async () => {
      server.close();
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      if (inodeOf(socketPath) === ours) await rm(socketPath, { force: true });
    },
  };
};

const inodeOf = (path: string): bigint | undefined =>
  lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino;

const closeOlder = (all: Set<Connection>, newest: Connection): void => {
  for (const each of all)
    if (newest.supersedes(each)) each.close("term_superseded");
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
