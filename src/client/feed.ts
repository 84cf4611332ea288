/**
 * Following a session, a task or the whole home (P2): everything after a cursor, once and in order, over as many connections
 * as it takes.
 *
 *   connect(after = cursor) ──► event with seq = cursor + 1 ──► yield, cursor + 1
 *        ▲                        │ any other seq · end · error · silence
 *        └──── pause, longer ◄────┘                    refused for good (4xx) ──► throw
 */
import type { Event } from "../contract/event/event.ts";
import type { HomeChange } from "../contract/api/stream-route.ts";
import type { TaskEvent } from "../contract/task/task-event.ts";
import { endpoint } from "../contract/api/route-table.ts";
import { backoff } from "../kit/time/backoff.ts";
import { authorization, send, type Server, target } from "./call.ts";
import {
  Cursor,
  homeChanges,
  type Sequence,
  sessionEvents,
  taskEvents,
} from "./cursor.ts";
import { EventStreamReader } from "./event-stream.ts";
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

/** Where the items of one kind of stream come from. */
interface Feed<E extends { seq: number }> {
  route: { path: string; status: number };
  sequence: Sequence<E>;
}

const sessionFeed: Feed<Event> = {
  route: endpoint("streamEvents"),
  sequence: sessionEvents,
};

const taskFeed: Feed<TaskEvent> = {
  route: endpoint("streamTaskEvents"),
  sequence: taskEvents,
};

const homeFeed: Feed<HomeChange> = {
  route: endpoint("streamHome"),
  sequence: homeChanges,
};

export const follow = (
  server: Server,
  session: string,
  options?: FollowOptions,
): AsyncGenerator<Event, void, undefined> =>
  followFeed(sessionFeed, server, session, options);

export const followTask = (
  server: Server,
  task: string,
  options?: FollowOptions,
): AsyncGenerator<TaskEvent, void, undefined> =>
  followFeed(taskFeed, server, task, options);

export const followHome = (
  server: Server,
  options?: FollowOptions,
): AsyncGenerator<HomeChange, void, undefined> =>
  followFeed(homeFeed, server, null, options);

async function* followFeed<E extends { seq: number }>(
  feed: Feed<E>,
  server: Server,
  id: string | null,
  options: FollowOptions = {},
): AsyncGenerator<E, void, undefined> {
  const retry = options.retry ?? { first_ms: 100, most_ms: 5_000 };
  const patience = options.patience_ms ?? Number.POSITIVE_INFINITY;
  const cursor = new Cursor(feed.sequence, options.after);
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
      for await (const event of connection(feed, server, id, cursor, {
        ...options,
        onOpen,
      })) {
        attempt = 0;
        troubleSince = null;
        if (event !== null) yield event;
      }
      options.onLost?.(new Error("the connection ended"));
    } catch (error) {
      if (stopped()) return;
      if (isFinal(error)) throw error;
      options.onLost?.(error);
      const now = performance.now();
      if (now - stoodFrom > GOOD_CONNECTION_MS) troubleSince = null;
      if (now - (troubleSince ?? now) > patience)
        throw asUnreachable(server, error);
    }
    troubleSince ??= performance.now();
    // Spread, so that a thousand clients of a restarted server do not come back in one moment.
    const ms = backoff(attempt++, retry.first_ms, retry.most_ms, Math.random());
    await pause(ms, options.signal);
  }
}

/** One connection, until it ends, fails, falls silent or sends anything but the next event. Null: an item that says nothing new. */
async function* connection<E extends { seq: number }>(
  feed: Feed<E>,
  server: Server,
  id: string | null,
  cursor: Cursor<E>,
  options: FollowOptions,
): AsyncGenerator<E | null, void, undefined> {
  const silence = watchForSilence(options.silence_ms ?? 45_000, options.signal);
  try {
    const response = await open(feed, server, id, cursor.at, silence.signal);
    options.onOpen?.();
    const reader = new EventStreamReader();
    for await (const bytes of chunksOf(response)) {
      silence.heard();
      for (const { data } of reader.push(bytes))
        yield cursor.take(feed.sequence.read(server.reading, JSON.parse(data)));
    }
  } finally {
    // Also when the consumer leaves: the socket goes with it.
    silence.close();
  }
}

const open = async (
  { route }: Pick<Feed<never>, "route">,
  server: Server,
  id: string | null,
  after: number | undefined,
  signal: AbortSignal,
): Promise<Response> => {
  const url = target(server, route.path, {
    ...(id !== null && { params: { id } }),
    query: { after },
  });
  const response = await send(server, url, {
    headers: { accept: "text/event-stream", ...authorization(server) },
    signal,
  });
  if (response.status !== route.status) throw await refusalOf(server, response);
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

const asUnreachable = (server: Server, error: unknown): ServerUnreachable =>
  error instanceof ServerUnreachable
    ? error
    : new ServerUnreachable(
        server.url,
        `The feed of ${server.url} does not come back.`,
        error,
      );
