import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { threadEnvironment } from "../../kit/processes/thread-environment.ts";

/** A look through a database that goes on beside everything else. */
export interface Look {
  /** Resolves when it is over or was stopped. */
  over: Promise<void>;
  stop(): Promise<void>;
}

/** `tell` is called with what is wrong, if anything is. */
export const lookLater = (
  path: string,
  tell: (found: string) => void,
): Look => {
  // The neighbour has our own extension: `.ts` in a clone, `.js` in the package.
  const url = new URL(
    `./threads/look-through-thread${extname(import.meta.filename)}`,
    import.meta.url,
  );
  const worker = new Worker(url, {
    workerData: path,
    name: "look-through",
    env: threadEnvironment(),
  });
  worker.on("message", (found: unknown) => {
    if (typeof found === "string") tell(found);
  });
  const over = new Promise<void>((resolve) => {
    worker.on("error", (error: Error) => tell(error.message));
    worker.on("exit", () => resolve());
  });
  // It holds up no process that has nothing else to do.
  worker.unref();
  return {
    over,
    async stop() {
      await worker.terminate();
    },
  };
};
