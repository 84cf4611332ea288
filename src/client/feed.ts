/**
 * Following a session or a task (P2): everything after a cursor, once and in order, over as many connections as it takes.
 *
 *   connect(after = cursor) ──► event with seq = cursor + 1 ──► yield, cursor + 1
 *        ▲                        │ any other seq · end · error · silence
 *        └──── pause, longer ◄────┘                    refused for good (4xx) ──► throw
 */
import type { Event } from "../contract/event/event.ts";
import type { TaskEvent } from "../contract/task/task-event.ts";
import { routes } from "../contract/api/route.ts";
import { backoff } from "../kit/time/backoff.ts";
import { type Address, authorization, send, target } from "./call.ts";
import { EventStreamReader } from "./event-stream.ts";
import { WireEvent, WireTaskEvent } from "./event.ts";
import { refusalOf } from "./refusal.ts";
import { isFinal, pause } from "./retry.ts";
import { ServerUnreachable } from "./unreachable-server.ts";
import { watchForSilence } from "./silence.ts";

export interface FollowOptions {
  /** The last seq already known. */
  after?: number;
  signal?: AbortSignal;
  /** The pause before the first new connection, and the longest one. */
  retry?: { first_ms: number; most_ms: number };
  /** How long without a server before it throws `ServerUnreachable`. For ever, unless told. */
  patience_ms?: number;
  /** A connection on which nothing comes for this long is given up: the server sends a heartbeat every 15 s. */
  silence_ms?: number;
  /** Told when a connection is lost and another will be tried. */
  onLost?: (reason: unknown) => void;
  /** Told when a connection stands. */
  onOpen?: () => void;
}

/** A connection that stood this long was a good one: its loss is a new trouble, not more of the old. */
const GOOD_CONNECTION_MS = 10_000;

/** Where the events of one kind of journal come from, and what they are. */
interface Feed<E extends { seq: number }> {
  route: typeof routes.streamEvents | typeof routes.streamTaskEvents;
  parse(value: unknown): E;
}

const sessionFeed: Feed<Event> = {
  route: routes.streamEvents,
  parse: (value) => WireEvent.parse(value),
};

const taskFeed: Feed<TaskEvent> = {
  route: routes.streamTaskEvents,
  parse: (value) => WireTaskEvent.parse(value),
};

export const follow = (
  address: Address,
  session: string,
  options?: FollowOptions,
): AsyncGenerator<Event, void, undefined> =>
  followFeed(sessionFeed, address, session, options);

export const followTask = (
  address: Address,
  task: string,
  options?: FollowOptions,
): AsyncGenerator<TaskEvent, void, undefined> =>
  followFeed(taskFeed, address, task, options);

async function* followFeed<E extends { seq: number }>(
  feed: Feed<E>,
  address: Address,
  id: string,
  options: FollowOptions = {},
): AsyncGenerator<E, void, undefined> {
  const retry = options.retry ?? { first_ms: 100, most_ms: 5_000 };
  const patience = options.patience_ms ?? Number.POSITIVE_INFINITY;
  let cursor = options.after ?? 0;
  let attempt = 0;
  let troubleSince: number | null = null;
  const stopped = (): boolean => options.signal?.aborted === true;
  while (!stopped()) {
    let stoodFrom = Number.POSITIVE_INFINITY;
    const onOpen = (): void => {
      stoodFrom = performance.now();
      options.onOpen?.();
    };
    try {
      for await (const event of connection(feed, address, id, cursor, {
        ...options,
        onOpen,
      })) {
        cursor = event.seq;
        attempt = 0;
        troubleSince = null;
        yield event;
      }
      options.onLost?.(new Error("the connection ended"));
    } catch (error) {
      if (stopped()) return;
      if (isFinal(error)) throw error;
      options.onLost?.(error);
      const now = performance.now();
      if (now - stoodFrom > GOOD_CONNECTION_MS) troubleSince = null;
      if (now - (troubleSince ?? now) > patience)
        throw asUnreachable(address, error);
    }
    troubleSince ??= performance.now();
    // Spread, so that a thousand clients of a restarted server do not come back in one moment.
    const ms = backoff(attempt++, retry.first_ms, retry.most_ms, Math.random());
    await pause(ms, options.signal);
  }
}

/** One connection, until it ends, fails, falls silent or sends anything but the next event. */
async function* connection<E extends { seq: number }>(
  feed: Feed<E>,
  address: Address,
  id: string,
  after: number,
  options: FollowOptions,
): AsyncGenerator<E, void, undefined> {
  const silence = watchForSilence(options.silence_ms ?? 45_000, options.signal);
  try {
    const response = await open(feed, address, id, after, silence.signal);
    options.onOpen?.();
    const reader = new EventStreamReader();
    let expected = after + 1;
    for await (const bytes of chunksOf(response)) {
      silence.heard();
      for (const { data } of reader.push(bytes)) {
        const event = feed.parse(JSON.parse(data));
        if (event.seq !== expected)
          throw new Error(`event ${event.seq} came instead of ${expected}`);
        expected += 1;
        yield event;
      }
    }
  } finally {
    // Also when the consumer leaves: the socket goes with it.
    silence.close();
  }
}

const open = async (
  { route }: Pick<Feed<never>, "route">,
  address: Address,
  id: string,
  after: number,
  signal: AbortSignal,
): Promise<Response> => {
  const url = target(address, route.path, {
    params: { id },
    query: { after },
  });
  const response = await send(address, url, {
    headers: { accept: "text/event-stream", ...authorization(address) },
    signal,
  });
  if (response.status !== route.status)
    throw await refusalOf(address.url, response);
  return response;
};

/** By a reader, because not every browser can iterate a stream. */
async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

const asUnreachable = (address: Address, error: unknown): ServerUnreachable =>
  error instanceof ServerUnreachable
    ? error
    : new ServerUnreachable(
        address.url,
        `The feed of ${address.url} does not come back.`,
        error,
      );
