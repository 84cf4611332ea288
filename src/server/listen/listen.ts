import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { Socket as NetSocket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { Hono } from "hono";
import { RepriseError } from "../../contract/problem/problem.ts";
import { crashPoint } from "../../kit/crash-point.ts";
import { runningFor } from "../../kit/time/running.ts";
import type { Log } from "../../runtime/ports/home.ts";
import { allowedHosts, urlOf } from "../door/allowed-hosts.ts";
import { cannotStart } from "../door/cannot-start.ts";
import { limitRequest } from "../door/limit-request.ts";
import { problemResponse, showable } from "../answer/problem.ts";
import type { Socket } from "../socket/socket.ts";
import { createTurns } from "./turns.ts";

/** How long a client may take, in milliseconds. Answers may take as long as they need. */
export interface Patience {
  headers: number;
  /** For the whole request; a file that is sent may pause for so long. */
  request: number;
  /** Between two requests of one connection. */
  idle: number;
  /** How often the first is looked at. */
  check: number;
  /** For taking any of what waits for it. */
  stalled: number;
}
const PATIENCE: Patience = {
  headers: 10_000,
  request: 120_000,
  idle: 10_000,
  check: 5_000,
  stalled: 60_000,
};

export interface Listening {
  url: string;
  port: number;
  /** Takes no more requests, ends streams and sockets, and gives what is under way `graceMs` to finish. */
  close(graceMs?: number): Promise<void>;
}

/**
 * Opens the port. Which names the server answers to depends on the port it got (0 takes a free one), so what answers is
 * built when the port is known, before the first request can arrive.
 */
export const listen = async (options: {
  host: string;
  port: number;
  log: Log;
  patience?: Patience;
  build(site: { allowedHosts: ReadonlySet<string>; closing: AbortSignal }): {
    app: Hono;
    socket: Socket;
  };
}): Promise<Listening> => {
  const { host, log, patience = PATIENCE } = options;
  const closing = new AbortController();
  const server = createServer({
    headersTimeout: patience.headers,
    // Node's own limit is the same for all requests, so it is kept by hand.
    requestTimeout: 0,
    keepAliveTimeout: patience.idle,
    connectionsCheckingInterval: patience.check,
    // Other upgrades (h2c) are offers that may be ignored.
    shouldUpgradeCallback: (request) =>
      request.headers.upgrade?.toLowerCase() === "websocket",
  });

  const port = await bind(server, host, options.port);
  const { app, socket } = options.build({
    allowedHosts: allowedHosts(host, port),
    closing: closing.signal,
  });
  const answer = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    errorHandler: (error) => unreadable(error, log),
  });
  const turns = createTurns();
  const connections = new Set<NetSocket>();
  server.on("connection", (connection) => {
    connections.add(connection);
    connection.once("close", () => connections.delete(connection));
  });
  // Node counts a connection on which nothing was asked yet as busy.
  const closeIdle = (): void => {
    for (const connection of connections)
      if (!turns.isAnswering(connection)) connection.destroy();
  };
  server.on("request", (request, response) => {
    limitRequest(request, response, patience.request);
    if (request.method !== "GET")
      response.once("finish", () => crashPoint("server.after-answer"));
    turns.take(request, response, () => void answer(request, response));
  });
  // Slow is not stalled: the time starts again with every byte that leaves. What is worked on may take as long as it needs.
  server.setTimeout(patience.stalled, (connection) => {
    if (connection.writableLength === 0 && turns.isAnswering(connection))
      connection.setTimeout(patience.stalled);
    else connection.destroy();
  });
  server.on("upgrade", (request, connection, head) => {
    // The socket looks after it from here on.
    connections.delete(request.socket);
    socket.upgrade(request, connection, head);
  });

  return {
    url: urlOf(host, port),
    port,
    async close(graceMs = 5000) {
      // What the kernel holds for us gets its answer: to be accepted and to be read takes a turn of the loop each.
      for (let turn = 0; turn < 3; turn++) await nextTurn();
      const closed = once(server, "close");
      server.close();
      closing.abort();
      closeIdle();
      const answered = new AbortController();
      const grace = runningFor(graceMs, answered.signal).then(
        () => server.closeAllConnections(),
        () => undefined,
      );
      await socket.close(graceMs);
      await closed;
      answered.abort();
      await grace;
    },
  };
};

const bind = async (
  server: Server,
  host: string,
  port: number,
): Promise<number> => {
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (error) {
    throw cannotStart(whyNot(error, host, port), error);
  }
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
};

const whyNot = (error: unknown, host: string, port: number): string => {
  const code = error instanceof Error && "code" in error ? error.code : "";
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} of ${host} is taken. Is Reprise running already? Choose another with --port.`;
    case "EACCES":
      return `Port ${port} may not be opened by this user. Choose one above 1023 with --port.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is no address of this machine. Choose another with --host.`;
    default:
      return `Port ${port} of ${host} cannot be opened: ${error instanceof Error ? error.message : String(error)}.`;
  }
};

/** For requests so odd that they do not become a `Request`. */
const unreadable = (error: unknown, log: Log): Response =>
  problemResponse(
    error instanceof RequestError
      ? new RepriseError(
          "invalid_request",
          `The address cannot be read: ${error.message}.`,
        )
      : showable(error, log),
  );
