/**
 * One WebSocket for everything that a page follows, in browsers and in Node.
 *
 *   opening ──► connected ──► away ──► back ──► away ──► …      close() ──► closed
 *      └──────── nobody answers ─▲        the server refuses us ──► refused ──tryNow()──► away
 *
 * - `follow(session, {after})` and `followHome({after})` give every item behind a cursor once and in order, over as many connections as
 *   it takes: after each break they go on from their own cursors. They end with their signal, `return()` or `close()`, and fail with
 *   what is refused for good. What comes faster than it is read waits in memory.
 * - `state` is where the connection stands, a new object after each change; `subscribe` tells of changes. `tryNow()` ends a pause.
 * - `request`, `sendBinary` and `onBinary` use the connection that stands, for what must not be repeated unasked: they do not wait for
 *   another one.
 */
import type { HomeChange } from "../../contract/api/stream-route.ts";
import { endpoint } from "../../contract/api/route-table.ts";
import type { Event } from "../../contract/event/event.ts";
import { RepriseError } from "../../contract/problem/reprise-error.ts";
import { backoff } from "../../kit/time/backoff.ts";
import { authorization, send, type Server, target } from "../call.ts";
import { refusalOf } from "../refusal.ts";
import { ServerUnreachable } from "../unreachable-server.ts";
import type { FollowFrom } from "./channel.ts";
import { Channels } from "./channels.ts";
import { type LiveSocket, openSocket, type SocketClass } from "./socket.ts";

/** Times are milliseconds since 1970. */
export type ConnectionState =
  | { kind: "opening" }
  | { kind: "connected" }
  /** `next_try_at` is null while a connection is being tried, or what was missed is on the way. */
  | { kind: "away"; since: number; next_try_at: number | null }
  /** It stands again. `caught_up`: how many events of followed sessions were missed and are here now. */
  | { kind: "back"; since: number; caught_up: number }
  /** The server does not let us in: the token or the cookie is not, or no longer, right. */
  | { kind: "refused"; error: RepriseError }
  | { kind: "closed" };

export interface Connection {
  readonly state: ConnectionState;
  /** Calls `changed` after each change of `state`, until what it answers with is called. */
  subscribe(changed: () => void): () => void;
  tryNow(): void;
  follow(session: string, from?: FollowFrom): AsyncIterableIterator<Event>;
  followHome(from?: FollowFrom): AsyncIterableIterator<HomeChange>;
  /** A method of `/api/ws`. Rejects with `ServerUnreachable` where no answer comes: whether it was carried out is not known then. */
  request(method: string, params: object): Promise<unknown>;
  /** False where no connection stands. */
  sendBinary(bytes: Uint8Array<ArrayBuffer>): boolean;
  /** Calls `listener` with each binary message, until what it answers with is called. */
  onBinary(listener: (bytes: Uint8Array<ArrayBuffer>) => void): () => void;
  close(): void;
}

export interface ConnectionOptions {
  /** The pause before the first new try, and the longest one. */
  retry?: { first_ms: number; most_ms: number };
  /** A connection on which nothing comes for so long is given up. The server is asked for signs of life three times as often. */
  silence_ms?: number;
  /** For Node before 22, the one of the package `ws`. */
  WebSocket?: SocketClass;
}

/** A connection that stood this long was a good one: its loss is a new trouble, not more of the old. */
const GOOD_CONNECTION_MS = 10_000;

export const openConnection = (
  server: Server,
  options: ConnectionOptions = {},
): Connection => new LiveConnection(server, options);

class LiveConnection implements Connection {
  readonly #server: Server;
  readonly #retry: { first_ms: number; most_ms: number };
  readonly #socketOptions: { make: SocketClass; silence_ms: number };
  readonly #listeners = new Set<() => void>();
  readonly #binaryListeners = new Set<
    (bytes: Uint8Array<ArrayBuffer>) => void
  >();
  readonly #channels: Channels;
  #state: ConnectionState = { kind: "opening" };
  #socket: LiveSocket | null = null;
  #isOpen = false;
  #openedAt = 0;
  #attempt = 0;
  #pause: ReturnType<typeof setTimeout> | undefined;

  constructor(server: Server, options: ConnectionOptions) {
    const { retry, silence_ms = 30_000 } = options;
    this.#server = server;
    this.#channels = new Channels(server.reading, () => this.#comeBack());
    this.#retry = retry ?? { first_ms: 250, most_ms: 10_000 };
    const make = options.WebSocket ?? ownWebSocket();
    this.#socketOptions = { make, silence_ms };
    this.#connect();
  }

  get state(): ConnectionState {
    return this.#state;
  }

  subscribe(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  tryNow(): void {
    if (this.#socket !== null || this.#state.kind === "closed") return;
    clearTimeout(this.#pause);
    this.#connect();
  }

  follow(session: string, from: FollowFrom = {}): AsyncIterableIterator<Event> {
    const events = this.#channels.follow(session, from);
    this.#refuseFollowers();
    return events;
  }

  followHome(from: FollowFrom = {}): AsyncIterableIterator<HomeChange> {
    const changes = this.#channels.followHome(from);
    this.#refuseFollowers();
    return changes;
  }

  request(method: string, params: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#socket !== null)
        return this.#socket.ask(method, params, resolve, reject);
      const { url } = this.#server;
      reject(new ServerUnreachable(url, "There is no connection."));
    });
  }

  sendBinary(bytes: Uint8Array<ArrayBuffer>): boolean {
    if (this.#isOpen) this.#socket?.sendBinary(bytes);
    return this.#isOpen;
  }

  onBinary(listener: (bytes: Uint8Array<ArrayBuffer>) => void): () => void {
    this.#binaryListeners.add(listener);
    return () => this.#binaryListeners.delete(listener);
  }

  close(): void {
    if (this.#state.kind === "closed") return;
    this.#become({ kind: "closed" });
    clearTimeout(this.#pause);
    this.#refuseFollowers();
    this.#socket?.drop(new Error("closed"));
  }

  /** Where no connection will be tried by itself, nobody waits for one. */
  #refuseFollowers(): void {
    const { state } = this;
    if (state.kind === "closed") this.#channels.end();
    if (state.kind === "refused") this.#channels.fail(state.error);
  }

  #connect(): void {
    if (this.#state.kind !== "opening") this.#goAway(null);
    this.#socket = openSocket(this.#server, this.#socketOptions, {
      opened: () => this.#opened(),
      told: (message) => {
        if (this.#channels.take(message)) this.#attempt = 0;
      },
      binary: (bytes) => {
        for (const listener of this.#binaryListeners) listener(bytes);
      },
      lost: (_, wasOpen) => void this.#lost(wasOpen),
    });
  }

  #opened(): void {
    const socket = this.#socket;
    if (socket === null) return;
    this.#isOpen = true;
    this.#openedAt = performance.now();
    if (this.#state.kind === "opening") this.#become({ kind: "connected" });
    this.#channels.connected(socket.ask);
    this.#comeBack();
  }

  /** Once all that was missed is here. */
  #comeBack(): void {
    if (!this.#isOpen || this.#channels.isBehind) return;
    if (this.#state.kind !== "away") return;
    const caught_up = this.#channels.missed;
    this.#become({ kind: "back", since: Date.now(), caught_up });
  }

  async #lost(wasOpen: boolean): Promise<void> {
    const isGood =
      this.#isOpen && performance.now() - this.#openedAt > GOOD_CONNECTION_MS;
    if (isGood) this.#attempt = 0;
    this.#isOpen = false;
    this.#channels.lost();
    if (this.#state.kind === "closed") return;
    this.#goAway(null);
    const refusal = wasOpen ? null : await this.#refusal();
    this.#socket = null;
    if (this.#state.kind === "away") this.#waitOrStop(refusal);
  }

  #waitOrStop(refusal: RepriseError | null): void {
    if (refusal !== null) {
      this.#become({ kind: "refused", error: refusal });
      return this.#refuseFollowers();
    }
    const { first_ms, most_ms } = this.#retry;
    // Spread, so that a thousand pages of a restarted server do not come back in one moment.
    const ms = backoff(this.#attempt++, first_ms, most_ms, Math.random());
    this.#goAway(Date.now() + ms);
    this.#pause = setTimeout(() => this.#connect(), ms);
  }

  /** A browser does not say why a WebSocket was refused: another request at the same door does. Null where it may pass. */
  async #refusal(): Promise<RepriseError | null> {
    const { path } = endpoint("listSessions");
    const url = target(this.#server, path, { query: { limit: 1 } });
    const { silence_ms } = this.#socketOptions;
    try {
      const response = await send(this.#server, url, {
        headers: authorization(this.#server),
        signal: AbortSignal.timeout(silence_ms),
      });
      if (response.status !== 401 && response.status !== 403) return null;
      const refusal = await refusalOf(this.#server, response);
      return refusal instanceof RepriseError ? refusal : null;
    } catch {
      return null;
    }
  }

  #goAway(next_try_at: number | null): void {
    const { state } = this;
    const since = state.kind === "away" ? state.since : Date.now();
    if (state.kind === "away" && state.next_try_at === next_try_at) return;
    this.#become({ kind: "away", since, next_try_at });
  }

  #become(state: ConnectionState): void {
    this.#state = state;
    for (const changed of this.#listeners) changed();
  }
}

const ownWebSocket = (): SocketClass => {
  if ("WebSocket" in globalThis) return globalThis.WebSocket;
  throw new RepriseError(
    "invalid_request",
    "This release of Node has no WebSocket: give live() the one of the package ws.",
  );
};
