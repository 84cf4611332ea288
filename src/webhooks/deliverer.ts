/**
 * Sends what waits to be sent, for every channel.
 *
 *   a commit ─► wake ─► the rows that are due ─► for each, one event: read, send, record ─► wake
 *   a start  ─┘   ▲                                                          │
 *                 └── timer, at the time of the next row ◄───────────────────┘
 *
 * A row stays due until the outcome of its event is recorded, so whoever dies in between sends the same event again.
 */
import type { SwitchedOff } from "../runtime/ports/webhook-store.ts";
import type { Channel } from "./channel.ts";
import { ChannelRun, type DeliveryDeps } from "./channel-run.ts";

/** How long a stop waits for requests that are under way. */
const CLOSE_MS = 2000;

export class Deliverer {
  readonly #deps: DeliveryDeps;
  readonly #runs = new Map<string, ChannelRun>();
  readonly #off = new Map<string, SwitchedOff>();
  readonly #closing = new AbortController();
  /** Settings are taken up one after the other. */
  #settled: Promise<void> = Promise.resolve();

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
  }

  /** What earlier servers know of them is read first. */
  serve(channels: readonly Channel[]): Promise<void> {
    this.#settled = this.#settled.then(() => this.#take(channels));
    return this.#settled;
  }

  /** Something may be due. */
  wake(): void {
    for (const run of this.#runs.values()) run.wake();
  }

  /** Since when a channel is switched off; null when it is not. */
  offAt({ id, url }: Pick<Channel, "id" | "url">): string | null {
    const off = this.#off.get(id);
    return off !== undefined && off.url === url ? off.at : null;
  }

  async switchOn(channel: Pick<Channel, "id">): Promise<void> {
    const { store, term, clock } = this.#deps;
    await store.switchOn(term, channel.id);
    this.#off.delete(channel.id);
    await store.makeDeliveriesDue(term, channel.id, clock.now().toISOString());
    this.wake();
  }

  /** Resolves when nothing is under way. */
  async drain(): Promise<void> {
    await this.#settled;
    await Promise.all([...this.#runs.values()].map((run) => run.drain()));
  }

  async close(): Promise<void> {
    for (const run of this.#runs.values()) run.stop();
    const patience = setTimeout(() => this.#closing.abort(), CLOSE_MS);
    await this.drain();
    clearTimeout(patience);
  }

  async #take(channels: readonly Channel[]): Promise<void> {
    const { store, term, log } = this.#deps;
    const ids = channels.map(({ id }) => id);
    await this.#leave((id) => !ids.includes(id));
    try {
      await store.removeChannelsExcept(term, ids);
      const off = await store.switchedOff();
      this.#off.clear();
      for (const each of off) this.#off.set(each.channel, each);
    } catch (err) {
      log.error({ err }, "could not read which webhooks are switched off");
    }
    for (const channel of channels) this.#runFor(channel).wake();
  }

  /** Whoever gets the same name later begins when nothing of these is under way. */
  async #leave(isRemoved: (id: string) => boolean): Promise<void> {
    for (const [id, run] of this.#runs) {
      if (!isRemoved(id)) continue;
      run.breakOff();
      await run.drain();
      this.#runs.delete(id);
    }
  }

  #runFor(channel: Channel): ChannelRun {
    const known = this.#runs.get(channel.id);
    if (known !== undefined) {
      known.channel = channel;
      return known;
    }
    const run = new ChannelRun(channel, {
      ...this.#deps,
      signal: this.#closing.signal,
      isOff: (each) => this.offAt(each) !== null,
      switchOff: (each) => this.#switchOff(each),
    });
    this.#runs.set(channel.id, run);
    return run;
  }

  async #switchOff({ id, url }: Channel): Promise<void> {
    const { store, term, clock, log } = this.#deps;
    const off = { channel: id, url: url ?? "", at: clock.now().toISOString() };
    await store.switchOff(term, off);
    this.#off.set(id, off);
    log.warn(
      { webhook: id },
      "a webhook is switched off: its receiver wants nothing more (410)",
    );
  }
}
