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
import { routes } from "../contract/api/route.ts";
import { backoff } from "../kit/time/backoff.ts";
import { type Address, authorization, send, target } from "./call.ts";
import { EventStreamReader } from "./event-stream.ts";
import { WireEvent, WireHomeChange, WireTaskEvent } from "./event.ts";
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
  route: { path: string; status: number };
  parse(value: unknown): E;
  /** Where it begins when nobody says. */
  start: number | undefined;
  /** Why this cannot be what comes behind a cursor; null where it can. */
  fault(event: E, cursor: number | undefined): string | null;
}

/** Journals are numbered without gaps. */
const numbered = {
  start: 0,
  fault: ({ seq }: { seq: number }, cursor = 0): string | null =>
    seq === cursor + 1 ? null : `event ${seq} came instead of ${cursor + 1}`,
};

const sessionFeed: Feed<Event> = {
  route: routes.streamEvents,
  parse: (value) => WireEvent.parse(value),
  ...numbered,
};

const taskFeed: Feed<TaskEvent> = {
  route: routes.streamTaskEvents,
  parse: (value) => WireTaskEvent.parse(value),
  ...numbered,
};

/** What changed several times is told once, so numbers are left out. A reset may go back. */
const homeFeed: Feed<HomeChange> = {
  route: routes.streamHome,
  parse: (value) => WireHomeChange.parse(value),
  start: undefined,
  fault: ({ seq, type }, cursor) =>
    cursor === undefined || seq > cursor || type.startsWith("stream.")
      ? null
      : `change ${seq} came behind ${cursor}`,
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

/** Of the items that say how a connection stands only those are given that mean something new. */
export async function* followHome(
  address: Address,
  options: FollowOptions = {},
): AsyncGenerator<HomeChange, void, undefined> {
  let isOpened = false;
  for await (const change of followFeed(homeFeed, address, null, options)) {
    if (change.type === "stream.opened" && isOpened) continue;
    isOpened = true;
    yield change;
  }
}

async function* followFeed<E extends { seq: number }>(
  feed: Feed<E>,
  address: Address,
  id: string | null,
  options: FollowOptions = {},
): AsyncGenerator<E, void, undefined> {
  const retry = options.retry ?? { first_ms: 100, most_ms: 5_000 };
  const patience = options.patience_ms ?? Number.POSITIVE_INFINITY;
  let cursor = options.after ?? feed.start;
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
  id: string | null,
  after: number | undefined,
  options: FollowOptions,
): AsyncGenerator<E, void, undefined> {
  const silence = watchForSilence(options.silence_ms ?? 45_000, options.signal);
  try {
    const response = await open(feed, address, id, after, silence.signal);
    options.onOpen?.();
    const reader = new EventStreamReader();
    let cursor = after;
    for await (const bytes of chunksOf(response)) {
      silence.heard();
      for (const { data } of reader.push(bytes)) {
        const event = feed.parse(JSON.parse(data));
        const fault = feed.fault(event, cursor);
        if (fault !== null) throw new Error(fault);
        cursor = event.seq;
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
  id: string | null,
  after: number | undefined,
  signal: AbortSignal,
): Promise<Response> => {
  const url = target(address, route.path, {
    ...(id !== null && { params: { id } }),
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
