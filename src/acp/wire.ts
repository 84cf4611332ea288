/** ACP as lines on this process's stdin and stdout, with word of what has been written. */
import { setImmediate } from "node:timers/promises";
import {
  type AnyMessage,
  ndJsonStream,
  type Stream,
} from "@agentclientprotocol/sdk";

/** A prompt may hold files. */
const MAX_BYTES = 256 * 1024 * 1024;

export class Wire {
  readonly stream: Stream;
  readonly #awaited = new WeakMap<object, () => void>();

  constructor() {
    // It writes too: lines that are no messages are answered by it.
    const { readable } = ndJsonStream(
      new WritableStream({ write: (bytes) => written(bytes) }),
      bytesOf(process.stdin),
      { maxMessageBytes: MAX_BYTES },
    );
    this.stream = {
      readable: readable.pipeThrough(oneAtATime()),
      writable: new WritableStream({
        write: (message) => this.#write(message),
      }),
    };
  }

  /** Calls back as soon as the message with these params or this result is in the pipe, before anything else happens. */
  whenWritten(body: object, then: () => void): void {
    this.#awaited.set(body, then);
  }

  #write(message: AnyMessage): Promise<void> {
    // A pipe has taken it when this returns; the promise is for one that is full.
    const taken = written(`${JSON.stringify(message)}\n`);
    const body = bodyOf(message);
    const then = body === null ? undefined : this.#awaited.get(body);
    if (body !== null) this.#awaited.delete(body);
    then?.();
    return taken;
  }
}

/**
 * The library takes longer to find the handlers of some methods than of others. Each message reaches its handler before the next
 * one is looked at, or a prompt could overtake the cancel that was sent before it, and be cancelled.
 */
const oneAtATime = (): TransformStream<AnyMessage, AnyMessage> =>
  new TransformStream({
    transform: async (message, next) => {
      next.enqueue(message);
      await setImmediate();
    },
  });

const written = (bytes: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });

const bytesOf = (input: NodeJS.ReadableStream): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      input
        .on("data", (bytes: Buffer) => controller.enqueue(bytes))
        .on("end", () => controller.close())
        .on("error", (error) => controller.error(error));
    },
  });

const bodyOf = (message: AnyMessage): object | null => {
  const body =
    "params" in message
      ? message.params
      : "result" in message
        ? message.result
        : null;
  return typeof body === "object" ? body : null;
};
