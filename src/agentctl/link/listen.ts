import { timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { chmodSync, lstatSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { dirname } from "node:path";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { MAX_FRAME } from "../../contract/link/stream.ts";
import { placeDurably } from "../../kit/files/durable-file.ts";
import { Connection, type LinkContext } from "./connection.ts";

const MAX_PAYLOAD = 256 * 1024 * 1024;

export interface Listening {
  close(): Promise<void>;
}

/**
 * The link's server: `GET /health`, the WebSocket `/link` and, beside each link, `/data` for its streams, on a unix socket
 * and all with the token. Whoever calls this holds the lock.
 */
export const listen = async (
  socketPath: string,
  token: string,
  context: Omit<LinkContext, "onHello">,
): Promise<Listening> => {
  const connections = new Set<Connection>();
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_PAYLOAD,
    perMessageDeflate: false,
  });
  const dataSockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME,
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
    if (statusOf(request, token, "/link") === 200)
      return sockets.handleUpgrade(request, socket, head, accept);
    const status = statusOf(request, token, "/data");
    const link = linkOf(request, connections);
    if (status !== 200) return refuse(socket, status);
    if (link === null) return refuse(socket, 403);
    dataSockets.handleUpgrade(request, socket, head, (opened) =>
      link.openData(opened),
    );
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
      for (const { clients } of [sockets, dataSockets])
        for (const socket of clients) socket.terminate();
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

const refuse = (socket: Duplex, status: number): void => {
  socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\n\r\n`);
};

/** The link whose streams are asked for, by the key that its `hello` was answered with. */
const linkOf = (
  { headers }: IncomingMessage,
  all: ReadonlySet<Connection>,
): Connection | null => {
  const key = String(headers["reprise-link"] ?? "");
  for (const each of all)
    if (each.term !== null && isSame(key, each.dataKey)) return each;
  return null;
};

const statusOf = (
  request: IncomingMessage,
  token: string,
  path: string,
): number => {
  if (!isSame(request.headers.authorization ?? "", `Bearer ${token}`))
    return 401;
  return request.method === "GET" && request.url === path ? 200 : 404;
};

const isSame = (actual: string, expected: string): boolean => {
  const [one, other] = [Buffer.from(actual), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
};
