/**
 * The link's HTTP: `GET /health`, the WebSocket `/link` and, beside each link, `/data` for its streams, all with a token.
 * It opens no socket itself; connections of every kind are handed to it.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { MAX_FRAME } from "../../contract/link/stream.ts";
import { Connection, type LinkContext } from "./connection.ts";

const MAX_PAYLOAD = 256 * 1024 * 1024;
/** Ours have a few hundred bytes. */
const MAX_HEADER_BYTES = 8 * 1024;

/** Who is at the other end of a connection. */
export interface Peer {
  /** What it has to show. */
  readonly token: string;
  readonly isRemote: boolean;
  /** Called each time it has shown the token. */
  onAuthenticated?(): void;
  /** Called when it did not. */
  onRefused?(): void;
  /** Called with each WebSocket that was opened for it. */
  onOpened?(socket: WebSocket): void;
}

export interface LinkServer {
  /** Connections that are not taken with `take` are `local`. */
  readonly http: Server;
  take(stream: Duplex, peer: Peer): void;
  close(): void;
}

export const linkServer = (
  local: Peer,
  context: Omit<LinkContext, "onHello" | "isRemote">,
): LinkServer => {
  const connections = new Set<Connection>();
  const peers = new WeakMap<Duplex, Peer>();
  const links = webSocketServer(MAX_PAYLOAD);
  const streams = webSocketServer(MAX_FRAME);
  /** The status to answer with; 200 for whoever has shown the token and asks for what is at `path`. */
  const admit = (request: IncomingMessage, path: string): Admitted => {
    const peer = peers.get(request.socket) ?? local;
    if (!isSame(request.headers.authorization ?? "", `Bearer ${peer.token}`)) {
      peer.onRefused?.();
      return { peer, status: 401 };
    }
    peer.onAuthenticated?.();
    const isThere = request.method === "GET" && request.url === path;
    return { peer, status: isThere ? 200 : 404 };
  };
  const http = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES },
    (request, response) => {
      const { status } = admit(request, "/health");
      if (status === 401) response.setHeader("connection", "close");
      response.writeHead(status, { "content-type": "application/json" });
      response.end(
        status === 200
          ? JSON.stringify({ status: "ok", build: context.build })
          : "",
      );
    },
  );
  const openLink = (socket: WebSocket, peer: Peer): void => {
    peer.onOpened?.(socket);
    const connection = new Connection(socket, {
      ...context,
      isRemote: peer.isRemote,
      onHello: (it) => closeOlder(connections, it),
    });
    connections.add(connection);
    socket.on("close", () => connections.delete(connection));
  };
  http.on("upgrade", (request, stream, head) => {
    // Between here and its WebSocket nobody else listens, and an error that nobody hears ends the process.
    stream.on("error", () => undefined);
    const path = request.url === "/data" ? "/data" : "/link";
    const { peer, status } = admit(request, path);
    if (status !== 200) return refuse(stream, status);
    if (path === "/link")
      return links.handleUpgrade(request, stream, head, (socket) =>
        openLink(socket, peer),
      );
    const link = linkOf(request, connections);
    if (link === null) return refuse(stream, 403);
    streams.handleUpgrade(request, stream, head, (socket) => {
      peer.onOpened?.(socket);
      link.openData(socket);
    });
  });
  return {
    http,
    take: (stream, peer) => {
      peers.set(stream, peer);
      http.emit("connection", stream);
    },
    close: () => {
      http.close();
      for (const { clients } of [links, streams])
        for (const socket of clients) socket.terminate();
      http.closeAllConnections();
    },
  };
};

interface Admitted {
  peer: Peer;
  status: 200 | 401 | 404;
}

const webSocketServer = (maxPayload: number): WebSocketServer =>
  new WebSocketServer({ noServer: true, maxPayload, perMessageDeflate: false });

const closeOlder = (all: Set<Connection>, newest: Connection): void => {
  for (const each of all)
    if (newest.supersedes(each)) each.close("term_superseded");
};

const refuse = (stream: Duplex, status: number): void => {
  stream.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\n\r\n`);
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

/** Takes equally long whatever differs, their lengths too. */
const isSame = (actual: string, expected: string): boolean =>
  timingSafeEqual(digestOf(actual), digestOf(expected));

const digestOf = (text: string): Buffer =>
  createHash("sha256").update(text).digest();
