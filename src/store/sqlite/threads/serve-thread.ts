import { flushCompileCache } from "node:module";
import {
  parentPort,
  receiveMessageOnPort,
  workerData,
  type MessagePort,
} from "node:worker_threads";
import type {
  Answer,
  Calls,
  Opened,
  Opening,
  Request,
  ToThread,
} from "../base/calls.ts";
import { failureOf } from "../base/failure.ts";

/** What a database thread does once its database is open. */
export interface Served<C extends Calls<C>> {
  migrated: readonly string[];
  damage: string | null;
  /** The most requests that are taken at once; more wait in the port. */
  most: number;
  answer(
    requests: readonly Request<C>[],
    reply: (answers: readonly Answer[]) => void,
  ): void;
  close(): void;
}

/** The thread's own end: opens the database, answers until it is told to close. */
export const serveThread = <C extends Calls<C>>(
  open: (opened: Opened) => Served<C>,
): void => {
  const port = parentPort;
  const opened: unknown = workerData;
  if (port === null || !isOpened(opened))
    throw new Error("this file is a thread of the store");
  const served = tryOpen(port, opened, open);
  if (served === null) return;
  // Now and not at the end, which may come by SIGKILL.
  flushCompileCache();

  const reply = (answers: readonly Answer[]): void => port.postMessage(answers);
  port.on("message", (message: ToThread<C>) => {
    if (message === "close") {
      served.close();
      port.close();
      return;
    }
    served.answer(gather(port, message, served.most), reply);
  });
};

const isOpened = (data: unknown): data is Opened =>
  typeof data === "object" && data !== null && "path" in data;

const tryOpen = <C extends Calls<C>>(
  port: MessagePort,
  opened: Opened,
  open: (opened: Opened) => Served<C>,
): Served<C> | null => {
  try {
    const served = open(opened);
    const { migrated, damage } = served;
    port.postMessage({ migrated, damage } satisfies Opening);
    return served;
  } catch (error) {
    const { code, message } = failureOf(error, opened.path);
    port.postMessage({ failure: { code, message } } satisfies Opening);
    return null;
  }
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
