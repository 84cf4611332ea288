/** All that is followed over one connection, and how much of it is still to come since the connection stands. */
import type { HomeChange } from "../../contract/api/stream-route.ts";
import type { Event } from "../../contract/event/event.ts";
import {
  type Ask,
  Channel,
  type ChannelKind,
  type FollowFrom,
} from "./channel.ts";
import type { Reading } from "../reading.ts";
import { homeChannel, sessionChannel } from "./channel-kinds.ts";

export class Channels {
  readonly #reading: Reading;
  readonly #caughtUp: () => void;
  readonly #sessions = new Map<string, Channel<Event>>();
  #home: Channel<HomeChange> | null = null;
  #ask: Ask | null = null;
  /** Those that are still to catch up. */
  readonly #behind = new Set<object>();
  #missed = 0;

  /** `caughtUp` is called whenever nothing that was missed is on the way any more. */
  constructor(reading: Reading, caughtUp: () => void) {
    this.#reading = reading;
    this.#caughtUp = caughtUp;
  }

  get isBehind(): boolean {
    return this.#behind.size > 0;
  }

  /** How many events were missed before the connection stood. */
  get missed(): number {
    return this.#missed;
  }

  follow(session: string, from: FollowFrom): AsyncIterableIterator<Event> {
    let channel = this.#sessions.get(session);
    if (channel === undefined) {
      channel = this.#begin(sessionChannel(session), () =>
        this.#sessions.delete(session),
      );
      this.#sessions.set(session, channel);
    }
    return channel.follow(from);
  }

  followHome(from: FollowFrom): AsyncIterableIterator<HomeChange> {
    this.#home ??= this.#begin(homeChannel, () => (this.#home = null));
    return this.#home.follow(from);
  }

  connected(ask: Ask): void {
    this.#ask = ask;
    this.#missed = 0;
    const all = this.#all();
    for (const channel of all) this.#behind.add(channel);
    for (const channel of all) channel.connected(ask);
  }

  lost(): void {
    this.#ask = null;
    this.#behind.clear();
    for (const channel of this.#all()) channel.lost();
  }

  /** Hands on a message that is no answer. False where it is for nobody here. Throws where it cannot be the next one. */
  take(message: Record<string, unknown>): boolean {
    const { home, session_id } = message;
    if (home !== undefined) return this.#home?.take(home) ?? false;
    if (typeof session_id !== "string") return false;
    return this.#sessions.get(session_id)?.take(message) ?? false;
  }

  fail(error: unknown): void {
    for (const channel of this.#all()) channel.fail(error);
  }

  end(): void {
    for (const channel of this.#all()) channel.end();
  }

  #begin<E extends { seq: number }>(
    kind: ChannelKind<E>,
    abandoned: () => void,
  ): Channel<E> {
    const channel: Channel<E> = new Channel(kind, this.#reading, {
      missed: (count) => {
        if (this.#behind.has(channel)) this.#missed += count;
      },
      caughtUp: () => {
        if (this.#behind.delete(channel) && !this.isBehind) this.#caughtUp();
      },
      abandoned,
    });
    if (this.#ask !== null) channel.connected(this.#ask);
    return channel;
  }

  #all(): (Channel<Event> | Channel<HomeChange>)[] {
    const sessions = [...this.#sessions.values()];
    return this.#home === null ? sessions : [...sessions, this.#home];
  }
}
