/** The deliveries of one channel: one event at a time for each session and task, several of these side by side. */
import { RepriseError } from "../contract/problem/problem.ts";
import { elapsedMs } from "../kit/time/elapsed.ts";
import type { Session } from "../contract/session/session.ts";
import type { TaskId } from "../contract/base/id.ts";
import type { Clock, Log } from "../runtime/ports/home.ts";
import type { Store } from "../runtime/ports/store.ts";
import type { Delivery, SubjectId } from "../runtime/ports/webhook-store.ts";
import type { Channel } from "./channel.ts";
import { type JournalEvent, messageOf } from "./message/message.ts";
import { progressAfter, skipped } from "./schedule.ts";

const MAX_UNDER_WAY = 8;
/** Those under way are among what is due. */
const PAGE = 8 * MAX_UNDER_WAY;
/** A machine that slept is late by as much as this at most. */
const LONGEST_SLEEP_MS = 5 * 60_000;
const TROUBLE_MS = 5000;

export interface DeliveryDeps {
  store: Store;
  /** Of this server. */
  term: number;
  clock: Clock;
  log: Log;
  /** In [0, 1). */
  chance: () => number;
  /** How long to wait after trouble with the database. */
  troubleMs?: number;
}

interface RunDeps extends DeliveryDeps {
  signal: AbortSignal;
  isOff(channel: Channel): boolean;
  switchOff(channel: Channel): Promise<void>;
}

export class ChannelRun {
  channel: Channel;
  readonly #deps: RunDeps;
  readonly #underWay = new Map<SubjectId, Promise<void>>();
  /** Breaks off what is under way. */
  readonly #breakOff = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  /** While it runs nothing is begun, whoever wakes this. */
  #pause: NodeJS.Timeout | null = null;
  #looking: Promise<void> | null = null;
  #lookAgain = false;
  #stopped = false;

  constructor(channel: Channel, deps: RunDeps) {
    this.channel = channel;
    this.#deps = deps;
  }

  /** Something may be due. */
  wake(): void {
    this.#lookAgain = true;
    if (this.#looking !== null || this.#stopped || this.#pause !== null) return;
    this.#looking = this.#look()
      .catch((error: unknown) => this.#pauseAfter(error))
      .finally(() => {
        this.#looking = null;
        if (this.#lookAgain) this.wake();
      });
  }

  /** Begins nothing more. */
  stop(): void {
    this.#stopped = true;
    this.#lookAgain = false;
    for (const timer of [this.#timer, this.#pause])
      if (timer !== null) clearTimeout(timer);
  }

  /** The same, and breaks off what is under way. Nothing of that is recorded. */
  breakOff(): void {
    this.stop();
    this.#breakOff.abort();
  }

  /** Resolves when nothing is under way. */
  async drain(): Promise<void> {
    while (this.#looking !== null || this.#underWay.size > 0)
      await Promise.all([this.#looking, ...this.#underWay.values()]);
  }

  async #look(): Promise<void> {
    let now = this.#now();
    while (this.#lookAgain && !this.#stopped && this.#pause === null) {
      this.#lookAgain = false;
      if (this.#deps.isOff(this.channel)) return;
      now = this.#now();
      await this.#beginDue(now);
    }
    // Of the same moment: what becomes due between two looks at the clock is in neither.
    const next = await this.#deps.store.nextDeliveryAt(this.channel.id, now);
    if (next !== null) this.#wakeAfter(elapsedMs(this.#now(), next));
  }

  async #beginDue(by: string): Promise<void> {
    const { store } = this.#deps;
    const due = await store.dueDeliveries(this.channel.id, by, PAGE);
    for (const delivery of due) {
      if (this.#stopped || this.#pause !== null) return;
      if (this.#underWay.size >= MAX_UNDER_WAY) return;
      const { subject } = delivery;
      if (this.#underWay.has(subject)) continue;
      this.#underWay.set(
        subject,
        this.#deliver(this.channel, delivery).then(
          () => {
            this.#underWay.delete(subject);
            this.wake();
          },
          (error: unknown) => {
            this.#underWay.delete(subject);
            this.#pauseAfter(error);
          },
        ),
      );
    }
  }

  async #deliver(channel: Channel, delivery: Delivery): Promise<void> {
    const { store, term, chance } = this.#deps;
    const found = await this.#nextEvent(channel, delivery);
    if (!("event" in found)) {
      const progress = skipped(delivery, found.up_to, this.#now());
      await store.recordDelivery(term, { ...progress, gave_up: found.gave_up });
      return;
    }
    const { event } = found;
    const session = await this.#sessionOf(event);
    if (!this.#isTimely(channel, event) || channel.isSettled(event, session)) {
      const progress = skipped(delivery, event.seq, this.#now());
      await store.recordDelivery(term, progress);
      return;
    }
    const { signal } = this.#breakOff;
    const outcome = await channel.send(
      messageOf(event, session),
      AbortSignal.any([this.#deps.signal, signal]),
    );
    // Nobody is told any more, and what is recorded of this channel is not its own.
    signal.throwIfAborted();
    if (outcome.kind === "gone" && channel.url !== null)
      await this.#deps.switchOff(channel);
    const tried = { seq: event.seq, at: this.#now(), outcome };
    await store.recordDelivery(
      term,
      progressAfter(delivery, tried, channel.pausesMs, chance()),
    );
    if (outcome.kind === "failed")
      this.#deps.log.warn(
        {
          webhook: channel.id,
          subject: delivery.subject,
          seq: event.seq,
          failures: delivery.failures + 1,
          why: outcome.error,
        },
        "a webhook or notification could not be delivered",
      );
  }

  /** The next event to be sent, or up to where there is none that can be read. Others of the same types are passed by. */
  async #nextEvent(
    channel: Channel,
    { subject, after_seq, to_seq }: Delivery,
  ): Promise<{ event: JournalEvent } | { up_to: number; gave_up: number }> {
    const { store, log } = this.#deps;
    const { id, events } = channel;
    const nothing = { up_to: to_seq, gave_up: 0 };
    for (let after = after_seq; ;) {
      const seq = await store.nextEventOf(subject, after, to_seq, events);
      if (seq === null) return nothing;
      try {
        const [event] = isTask(subject)
          ? await store.taskEvents(subject, seq - 1, 1)
          : await store.events(subject, seq - 1, 1);
        if (event === undefined) return nothing;
        if (channel.wants(event)) return { event };
        after = seq;
      } catch (err) {
        if (!isDamage(err)) throw err;
        log.error(
          { webhook: id, subject, seq, err },
          "what was to be sent cannot be read and is passed over",
        );
        return { up_to: to_seq, gave_up: 1 };
      }
    }
  }

  /** What is too old is of no use to anybody. */
  #isTimely({ maxAgeMs }: Channel, { at }: JournalEvent): boolean {
    return maxAgeMs === null || elapsedMs(at, this.#now()) <= maxAgeMs;
  }

  async #sessionOf(event: JournalEvent): Promise<Session | null> {
    if (!("session_id" in event)) return null;
    return this.#deps.store.session(event.session_id).catch(() => null);
  }

  #pauseAfter(error: unknown): void {
    if (this.#stopped || isSuperseded(error)) return;
    const { log } = this.#deps;
    log.error(
      { webhook: this.channel.id, err: error },
      "webhooks and notifications wait: what is to be sent cannot be read or recorded",
    );
    if (this.#pause !== null) clearTimeout(this.#pause);
    this.#pause = setTimeout(() => {
      this.#pause = null;
      this.wake();
    }, this.#deps.troubleMs ?? TROUBLE_MS);
  }

  #wakeAfter(ms: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#stopped) return;
    const pause = Math.min(Math.max(ms, 1), LONGEST_SLEEP_MS);
    this.#timer = setTimeout(() => this.wake(), pause);
  }

  #now(): string {
    return this.#deps.clock.now().toISOString();
  }
}

const isTask = (subject: SubjectId): subject is TaskId =>
  subject.startsWith("tsk_");

const isDamage = (error: unknown): boolean =>
  error instanceof RepriseError &&
  (error.code === "session_damaged" || error.code === "task_damaged");

const isSuperseded = (error: unknown): boolean =>
  error instanceof RepriseError && error.code === "superseded";
