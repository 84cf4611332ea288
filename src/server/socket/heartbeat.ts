import type { WebSocket } from "ws";
import type { SocketNews } from "../../contract/api/socket.ts";
import type { Outbox } from "./outbox.ts";

/** Tells a client regularly that the connection lives: programs in a browser do not see the pings of a WebSocket. */
export interface Heartbeat {
  /** From now on this often; an earlier wish is replaced. */
  every(ms: number): void;
}

export const createHeartbeat = (ws: WebSocket, outbox: Outbox): Heartbeat => {
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => clearInterval(timer);
  const beat = (): void => {
    // A client for which much waits hears enough.
    if (outbox.isFull()) return;
    const at = new Date().toISOString();
    outbox.send(JSON.stringify({ heartbeat: { at } } satisfies SocketNews));
  };
  ws.on("close", stop);
  return {
    every(ms) {
      stop();
      if (ws.readyState !== ws.OPEN) return;
      timer = setInterval(beat, ms);
      timer.unref();
    },
  };
};
