/** The inside of a thread of the vault: does one thing after another, and may wait where it stands. */
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { lowerPriority } from "../../kit/processes/lower-priority.ts";
import type { Calls, Request } from "../../kit/worker-rpc/messages.ts";
import { serveRequests } from "../../kit/worker-rpc/serve-requests.ts";
import { FolderBytes } from "../bytes/folder.ts";
import { KnownDamage } from "../packs/known-damage.ts";
import { failureOf } from "../format/failure.ts";
import { Objects } from "../packs/objects.ts";
import type {
  Answer,
  Failed,
  Listener,
  Note,
  VaultPaths,
} from "../threads/thread-messages.ts";

/** What a thread has to work with. */
export interface Workplace {
  place: VaultPaths;
  objects: Objects;
  /** For threads that this one starts. */
  listener: Listener;
}

/** What comes with a call. */
export interface CallContext {
  isAborted: () => boolean;
  /** The same, for other threads. */
  abort: SharedArrayBuffer;
}

export type Work<C extends Calls<C>> = {
  [K in keyof C]: (
    asked: C[K]["query"],
    context: CallContext,
  ) => Promise<C[K]["answer"]>;
};

/** Answers these calls for as long as the thread lives. */
export const serveCalls = <C extends Calls<C>>(
  workOf: (workplace: Workplace) => Work<C>,
): void => {
  const port = parentPort;
  if (port === null) throw new Error("this file is a thread of the vault");
  // Whoever listens to an agent must not notice that a workspace is being captured.
  lowerPriority();
  const tell = (note: Note): void => port.postMessage({ note });
  const listener: Listener = {
    warn: (warning) => tell({ warning }),
    damaged: (damage) => tell({ damage }),
  };
  if (!isPlace(workerData)) throw new Error("this thread has no vault");
  const place = workerData;
  const objects = new Objects({
    bytes: new FolderBytes(place.packs),
    cache: join(place.cache, "index"),
    known: new KnownDamage(place.damage),
    onDamage: listener.damaged,
    warn: listener.warn,
  });
  const work = workOf({ place, objects, listener });
  const run = <K extends keyof C>(
    call: K,
    asked: C[K]["query"],
    context: CallContext,
  ): Promise<C[K]["answer"]> => work[call](asked, context);

  const answerOne = async (request: Request<C>): Promise<Answer> => {
    const { id, kind, query, abort = new SharedArrayBuffer(4) } = request;
    const flag = new Int32Array(abort);
    const isAborted = (): boolean => Atomics.load(flag, 0) === 1;
    const outcome = await run(kind, query, { isAborted, abort }).then(
      (value) => ({ value }),
      (error: unknown) => {
        const { code, message } = failureOf(error);
        return { failure: { code, message } };
      },
    );
    // Before the answer: whoever has it may save at once, and relies on nothing that is damaged.
    await objects
      .checkSuspects()
      .catch((error: unknown) => listener.warn(failureOf(error).message));
    return { id, ...outcome };
  };

  let isCompiledKept = false;
  /** One at a time, in the order they come. */
  let before: Promise<void> = Promise.resolve();
  serveRequests<C, Failed>(port, {
    most: 1,
    answer: (requests, reply) => {
      for (const request of requests)
        before = before.then(async () => {
          reply([await answerOne(request)]);
          // Now and not at the end: a thread that is done with is terminated.
          if (!isCompiledKept) flushCompileCache();
          isCompiledKept = true;
        });
    },
    close: () => {},
  });
};

const isPlace = (data: unknown): data is VaultPaths =>
  typeof data === "object" &&
  data !== null &&
  ["packs", "cache", "damage", "restores"].every(
    (name) => typeof Reflect.get(data, name) === "string",
  );
