import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** With so many requests of one connection unanswered no more are read from it. */
const MAX_UNANSWERED = 16;

/**
 * Requests of one connection are worked on one after the other. A client may send many before it reads an answer, and
 * Node hands over all that came at once: worked on together, their answers would wait in memory for a client that may
 * never read them.
 */
export interface Turns {
  take(
    request: IncomingMessage,
    response: ServerResponse,
    work: () => void,
  ): void;
  /** Whether a request of this connection is not answered yet. */
  isAnswering(socket: Socket): boolean;
}

interface Turn {
  unanswered: number;
  /** Resolves when the last answer has left. */
  last: Promise<void>;
  /** Whether we stopped the reading. Node does so too, for reasons of its own. */
  stopped: boolean;
}

export const createTurns = (): Turns => {
  const turns = new WeakMap<Socket, Turn>();

  const readOrWait = (socket: Socket, turn: Turn): void => {
    const mustWait = turn.unanswered >= MAX_UNANSWERED;
    if (mustWait) socket.pause();
    else if (turn.stopped) socket.resume();
    turn.stopped = mustWait;
  };

  return {
    take({ socket }, response, work) {
      const turn = turns.get(socket) ?? {
        unanswered: 0,
        last: Promise.resolve(),
        stopped: false,
      };
      turns.set(socket, turn);
      turn.unanswered += 1;
      // Not now: with the end of each request it has parsed Node reads on.
      process.nextTick(() => readOrWait(socket, turn));
      turn.last = turn.last.then(async () => {
        if (socket.destroyed) return;
        const left = new Promise((resolve) => response.once("close", resolve));
        work();
        await left;
        turn.unanswered -= 1;
        readOrWait(socket, turn);
      });
    },
    isAnswering: (socket) => (turns.get(socket)?.unanswered ?? 0) > 0,
  };
};
