import { receiveMessageOnPort, type MessagePort } from "node:worker_threads";
import type { Answer, Calls, Request, ToThread } from "./messages.ts";

/** What a thread does with what it is asked. */
export interface Served<C extends Calls<C>, F> {
  /** The most requests that are taken at once; more wait in the port. */
  most: number;
  answer(
    requests: readonly Request<C>[],
    reply: (answers: readonly Answer<F>[]) => void,
  ): void;
  close(): void;
}

/** The thread's own end: answers until it is told to close. */
export const serveRequests = <C extends Calls<C>, F>(
  port: MessagePort,
  served: Served<C, F>,
): void => {
  const reply = (answers: readonly Answer<F>[]): void =>
    port.postMessage(answers);
  port.on("message", (message: ToThread<C>) => {
    if (message === "close") {
      served.close();
      port.close();
      return;
    }
    served.answer(gather(port, message, served.most), reply);
  });
};

/** Adds what has arrived meanwhile. `close` is never among it: it is sent only when nothing is unanswered. */
const gather = <C extends Calls<C>>(
  port: MessagePort,
  first: readonly Request<C>[],
  most: number,
): readonly Request<C>[] => {
  const requests = [...first];
  while (requests.length < most) {
    const received: { message: readonly Request<C>[] } | undefined =
      receiveMessageOnPort(port);
    if (received === undefined) break;
    requests.push(...received.message);
  }
  return requests;
};
