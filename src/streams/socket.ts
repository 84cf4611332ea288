import type { RawData, WebSocket } from "ws";
import { StreamConnection, type StreamOptions } from "./stream-connection.ts";

/** Streams over a WebSocket that is open. They end with it. */
export const streamsOver = (
  socket: WebSocket,
  options: StreamOptions,
): StreamConnection => {
  const connection = new StreamConnection(
    {
      transmit: (message) =>
        new Promise((resolve) => {
          socket.send(message, () => resolve());
        }),
      close: (reason) => socket.close(POLICY_VIOLATION, reason),
    },
    options,
  );
  socket.on("message", (data, isBinary) => {
    if (isBinary) connection.take(bytesOf(data));
    else connection.close("binary frames only");
  });
  socket.on("close", () => connection.lost());
  // `close` follows, and says all there is to say.
  socket.on("error", () => undefined);
  return connection;
};

const POLICY_VIOLATION = 1008;

const bytesOf = (data: RawData): Uint8Array =>
  Buffer.isBuffer(data)
    ? data
    : Array.isArray(data)
      ? Buffer.concat(data)
      : Buffer.from(data);
