import { constants, openSync } from "node:fs";
import { Socket } from "node:net";

/** Resolves when nobody holds the FIFO open for writing any more; at once when nobody does. */
export const untilEndOfFile = (fifo: string): Promise<void> =>
  new Promise((resolve) => {
    const fd = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
    const reader = new Socket({ fd, readable: true, writable: false });
    reader.on("error", () => reader.destroy());
    reader.on("close", () => resolve());
    reader.resume();
    reader.unref();
  });
