/** Looks through a database that is too large for a start to wait for. Its answer is the only thing it says. */
import { parentPort, workerData } from "node:worker_threads";
import { openForReading } from "../base/connection.ts";
import { lookThrough } from "../opening/look-through.ts";

const path: unknown = workerData;
const port = parentPort;
if (port === null || typeof path !== "string")
  throw new Error("this file is a thread of the store");
const db = openForReading(path);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
port.postMessage(lookThrough(db));
db.close();
