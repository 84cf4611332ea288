/**
 * One subscription of a connection, to a session or to the home, for everybody here who follows it.
 *
 *   idle ──subscribe──► asked ──answer──► live ──lost──► idle        items count only while live: behind an answer come
 *                         │ refused for now: idle, and again later   the items behind the cursor that it was asked with
 *                         └ refused for good: all followers fail
 *
 * Each follower has a cursor of its own. The subscription begins at the lowest; a follower that is further lets known items pass.
 */
import { backoff } from "../../kit/time/backoff.ts";
import { Cursor, type Sequence } from "../cursor.ts";
import type { Reading } from "../reading.ts";
import { isFinal } from "../retry.ts";
import { Queue } from "./queue.ts";

/** Sends a request and is told the answer in the order in which it came, between the items. */
export type Ask = (
  method: string,
  params: object,
  answered: (result: unknown) => void,
  refused: (error: unknown) => void,
) => void;

export interface ChannelKind<E extends { seq: number }> {
  sequence: Sequence<E>;
  subscribe: { method: string; params(after: number | undefined): object };
  unsubscribe: { method: string; params: object };
  /** How many items come until it is as it was when the answer was given. */
  missing(result: unknown, after: number | undefined): number;
}

interface Follower<E extends { seq: number }> {
  cursor: Cursor<E>;
  queue: Queue<E>;
}

export interface FollowFrom {
  /** The last number already known. */
  after?: number | undefined;
  signal?: AbortSignal | undefined;
}

export class Channel<E extends { seq: number }> {
  readonly #kind: ChannelKind<E>;
  readonly #reading: Reading;
  readonly #hooks: ChannelHooks;
  readonly #followers = new Set<Follower<E>>();
  #ask: Ask | null = null;
  #status: "idle" | "asked" | "live" = "idle";
  /** Told apart, because answers to an earlier request may still come. */
  #request = 0;
  /** The newest item that came, while live. */
  #position: number | undefined;
  #missing = 0;
  #attempt = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(kind: ChannelKind<E>, reading: Reading, hooks: ChannelHooks) {
    this.#kind = kind;
    this.#reading = reading;
    this.#hooks = hooks;
  }

  follow({ after, signal }: FollowFrom): Queue<E> {
    const leave = (): void => {
      signal?.removeEventListener("abort", end);
      this.#leave(follower);
    };
    const queue = new Queue<E>(leave);
    const end = (): void => queue.end();
    const cursor = new Cursor(this.#kind.sequence, after);
    const follower = { cursor, queue };
    this.#followers.add(follower);
    signal?.addEventListener("abort", end);
    if (signal?.aborted === true) end();
    else if (!this.#isServing(cursor)) this.#subscribe();
    return queue;
  }

  connected(ask: Ask): void {
    this.#ask = ask;
    this.#subscribe();
  }

  lost(): void {
    this.#ask = null;
    this.#rest();
  }

  /** An item for this channel; false where it comes too early or too late. Throws where it cannot be the next one. */
  take(value: unknown): boolean {
    if (this.#status !== "live") return false;
    const item = this.#kind.sequence.read(this.#reading, value);
    for (const { cursor, queue } of this.#followers) {
      if (cursor.has(item)) continue;
      const given = cursor.take(item);
      if (given !== null) queue.push(given);
    }
    this.#position = item.seq;
    this.#attempt = 0;
    if (this.#missing > 0) {
      this.#missing -= 1;
      if (this.#missing === 0) this.#hooks.caughtUp();
    }
    return true;
  }

  fail(error: unknown): void {
    for (const { queue } of this.#followers) queue.fail(error);
  }

  end(): void {
    for (const { queue } of this.#followers) queue.end();
  }

  /** Whether what a new follower needs is still to come. */
  #isServing({ at }: Cursor<E>): boolean {
    return (
      this.#status === "live" &&
      at !== undefined &&
      this.#position !== undefined &&
      at >= this.#position
    );
  }

  #subscribe(): void {
    const ask = this.#ask;
    if (ask === null || this.#followers.size === 0) return;
    this.#rest();
    this.#status = "asked";
    const request = (this.#request += 1);
    const after = lowest([...this.#followers].map(({ cursor }) => cursor.at));
    const { subscribe } = this.#kind;
    ask(
      subscribe.method,
      subscribe.params(after),
      (result) => {
        if (request !== this.#request) return;
        this.#status = "live";
        this.#position = after;
        this.#missing = this.#kind.missing(result, after);
        this.#hooks.missed(this.#missing);
        if (this.#missing === 0) this.#hooks.caughtUp();
      },
      (error) => {
        if (request === this.#request) this.#refused(error);
      },
    );
  }

  #refused(error: unknown): void {
    this.#rest();
    this.#hooks.caughtUp();
    if (isFinal(error)) return this.fail(error);
    const ms = backoff(this.#attempt++, 100, 5_000, Math.random());
    this.#retry = setTimeout(() => this.#subscribe(), ms);
  }

  #leave(follower: Follower<E>): void {
    this.#followers.delete(follower);
    if (this.#followers.size > 0) return;
    const isAsked = this.#status !== "idle";
    this.#rest();
    const { method, params } = this.#kind.unsubscribe;
    if (isAsked) this.#ask?.(method, params, ignore, ignore);
    this.#ask = null;
    this.#hooks.caughtUp();
    this.#hooks.abandoned();
  }

  #rest(): void {
    clearTimeout(this.#retry);
    this.#request += 1;
    this.#status = "idle";
    this.#position = undefined;
    this.#missing = 0;
  }
}

export interface ChannelHooks {
  /** It stands again, and so many items are on the way. */
  missed(count: number): void;
  /** Nothing that was missed is on the way any more, or the channel cannot say. May be called again. */
  caughtUp(): void;
  /** Nobody follows it. */
  abandoned(): void;
}

/** From now on where somebody wants that and nobody wants more. */
const lowest = (
  cursors: readonly (number | undefined)[],
): number | undefined => {
  const known = cursors.filter((at) => at !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

const ignore = (): void => undefined;
