import type { Socket } from "node:net";

/**
 * Cuts off a client that takes nothing of what waits for it for `ms`. What is being worked on may take as long as it
 * needs: while nothing waits to be sent, time does not count. Slow is not stalled: the socket's own timer starts again
 * with every byte that leaves.
 */
export const cutOffStalled = (socket: Socket, ms: number): void => {
  socket.setTimeout(ms);
  socket.on("timeout", () => {
    if (socket.writableLength > 0) socket.destroy();
    else socket.setTimeout(ms);
  });
};
