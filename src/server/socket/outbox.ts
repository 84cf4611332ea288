import type { WebSocket } from "ws";

/** With so much unsent nothing more is read from a connection, asked for it or fetched for it. */
export const MAX_UNSENT_BYTES = 1024 * 1024;

/** What a connection is sent, no faster than the client takes it. */
export interface Outbox {
  /** Text as text, bytes as bytes. */
  send(message: string | Uint8Array): void;
  /** Whether more is waiting than may. */
  isFull(): boolean;
  /** Resolves when it is not full, or the connection is gone. */
  room(): Promise<void>;
}

/** `onChange` is called when it may have become full, and when it is not any more. */
export const createOutbox = (
  ws: WebSocket,
  onChange: () => void,
  maxUnsent = MAX_UNSENT_BYTES,
): Outbox => {
  let waiting: (() => void)[] = [];
  const isFull = (): boolean =>
    ws.readyState === ws.OPEN && ws.bufferedAmount > maxUnsent;
  const settle = (): void => {
    onChange();
    if (isFull()) return;
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };
  ws.on("close", settle);
  return {
    send(message) {
      // Called back when it has left for the network, or never will.
      ws.send(message, settle);
      if (isFull()) onChange();
    },
    isFull,
    room: () =>
      isFull()
        ? new Promise((resolve) => waiting.push(resolve))
        : Promise.resolve(),
  };
};
