import type { Duplex } from "node:stream";
import { WebSocket } from "ws";
import { RepriseError } from "../../contract/problem.ts";

/** A stream that reaches an agentctl, upgraded to its WebSocket. */
export const upgraded = (stream: Duplex, token: string): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket("ws://agentctl/link", {
      // A path in a `ws+unix:` URL could hold no space and no colon; a stream can come from anywhere.
      createConnection: () => stream,
      headers: { authorization: `Bearer ${token}` },
      perMessageDeflate: false,
      // The peer is our own program; a report that were refused for its size would be sent again for ever.
      maxPayload: 0,
    });
    socket.once("open", () => resolve(socket));
    // For as long as it lives: after `open` an error is followed by `close`, which says all there is to say.
    socket.on("error", (error) => reject(unavailable(error.message, error)));
    socket.once("unexpected-response", (_request, response) => {
      stream.destroy();
      reject(
        unavailable(
          response.statusCode === 401
            ? "it does not accept our token; was the file agentctl/token in the home replaced while it runs?"
            : `it answered with status ${response.statusCode}`,
        ),
      );
    });
  });

/** Notices a peer that is frozen: no pong to a ping by the time of the next. */
export const keepAlive = (socket: WebSocket, everyMs = 30_000): void => {
  let answered = true;
  socket.on("pong", () => {
    answered = true;
  });
  const timer = setInterval(() => {
    if (!answered) return socket.terminate();
    answered = false;
    socket.ping();
  }, everyMs);
  timer.unref();
  socket.once("close", () => clearInterval(timer));
};

const unavailable = (why: string, cause?: Error): RepriseError =>
  new RepriseError(
    "agentctl_unavailable",
    `agentctl does not open a link: ${why}`,
    { cause },
  );
