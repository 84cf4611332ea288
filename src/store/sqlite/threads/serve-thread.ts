import { flushCompileCache } from "node:module";
import { parentPort, workerData, type MessagePort } from "node:worker_threads";
import type { Calls } from "../../../kit/worker-rpc/messages.ts";
import {
  type Served,
  serveRequests,
} from "../../../kit/worker-rpc/serve-requests.ts";
import type { Refusal } from "../../refusal.ts";
import type { Opened, OpenResult } from "../base/calls.ts";
import { failureOf } from "../base/failure.ts";

/** What a database thread does once its database is open, and what opening it did. */
interface Database<C extends Calls<C>> extends Served<C, Refusal> {
  migrated: readonly string[];
  damage: string | null;
}

/** The thread's own end: opens the database, answers until it is told to close. */
export const serveThread = <C extends Calls<C>>(
  open: (opened: Opened) => Database<C>,
): void => {
  const port = parentPort;
  const opened: unknown = workerData;
  if (port === null || !isOpened(opened))
    throw new Error("this file is a thread of the store");
  const database = tryOpen(port, opened, open);
  if (database === null) return;
  // Now and not at the end, which may come by SIGKILL.
  flushCompileCache();
  serveRequests(port, database);
};

const isOpened = (data: unknown): data is Opened =>
  typeof data === "object" && data !== null && "path" in data;

const tryOpen = <C extends Calls<C>>(
  port: MessagePort,
  opened: Opened,
  open: (opened: Opened) => Database<C>,
): Database<C> | null => {
  try {
    const database = open(opened);
    const { migrated, damage } = database;
    port.postMessage({ migrated, damage } satisfies OpenResult);
    return database;
  } catch (error) {
    const { code, message } = failureOf(error, opened.path);
    port.postMessage({ failure: { code, message } } satisfies OpenResult);
    return null;
  }
};
