const RETRY_MS = 1000;
export const HEARTBEAT_MS = 15_000;

export interface Feed<E extends { readonly seq: number }> {
  follow(signal: AbortSignal): AsyncIterable<readonly E[]>;
  jsonOf(event: E): string;
  /** Any of these ends the stream: the client has gone, the server stops. */
  until: readonly AbortSignal[];
  heartbeatMs: number;
  /** A feed that breaks ends the stream; the client comes back with its cursor. */
  failed(error: unknown): void;
}

/**
 * Events as a body. The reader pulls: while a slow client has not taken one batch, the next is not fetched.
 * A comment goes out whenever nothing else did for a while, so that proxies and clients can tell silence from death.
 */
export const eventStream = <E extends { readonly seq: number }>(
  feed: Feed<E>,
): ReadableStream<Uint8Array> => {
  const stop = stopper(feed.until);
  const frame = (event: E): string =>
    `id: ${event.seq}\ndata: ${feed.jsonOf(event)}\n\n`;
  let batches: AsyncIterator<readonly E[]> | undefined;
  let pending: Promise<IteratorResult<readonly E[]>> | undefined;
  let cancelled = false;
  // A feed that waits for its reader does not see the signal: it has to be told.
  stop.signal.addEventListener("abort", () => {
    batches?.return?.().catch(() => {});
  });

  const nextChunk = async (): Promise<string | undefined> => {
    if (batches === undefined) {
      batches = feed.follow(stop.signal)[Symbol.asyncIterator]();
      return `retry: ${RETRY_MS}\n\n`;
    }
    pending ??= batches.next();
    const next = await orSilence(pending, feed.heartbeatMs);
    if (next === "silence") return ": still here\n\n";
    pending = undefined;
    return next.done === true ? undefined : next.value.map(frame).join("");
  };

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await nextChunk().catch((error: unknown) => {
          if (!stop.signal.aborted) feed.failed(error);
          return undefined;
        });
        if (cancelled) return;
        if (chunk !== undefined) return controller.enqueue(utf8.encode(chunk));
        stop.abort();
        controller.close();
      },
      cancel() {
        cancelled = true;
        stop.abort();
      },
    },
    // Nothing is fetched before somebody reads.
    { highWaterMark: 0 },
  );
};

const utf8 = new TextEncoder();

/** Follows the signals until it is aborted itself, then lets go of them: `until` may outlive the stream by days. */
const stopper = (until: readonly AbortSignal[]): AbortController => {
  const stop = new AbortController();
  for (const signal of until) {
    if (signal.aborted) stop.abort();
    else
      signal.addEventListener("abort", () => stop.abort(), {
        signal: stop.signal,
      });
  }
  return stop;
};

const orSilence = async <T>(
  work: Promise<T>,
  ms: number,
): Promise<T | "silence"> => {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<"silence">((resolve) => {
    timer = setTimeout(() => resolve("silence"), ms);
  });
  try {
    return await Promise.race([work, silence]);
  } finally {
    clearTimeout(timer);
  }
};
