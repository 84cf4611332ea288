/**
 * How far somebody has come in a stream, and what may come next (P2). Whatever carries the stream, a cursor gives each item once and
 * in order, or says what is wrong with it.
 */
import type { HomeChange } from "../contract/api/stream-route.ts";
import type { Event } from "../contract/event/event.ts";
import type { TaskEvent } from "../contract/task/task-event.ts";
import type { Reading } from "./reading.ts";

/** The items of one kind of stream. */
export interface Sequence<E extends { seq: number }> {
  read(reading: Reading, value: unknown): E;
  /** Where it begins when nobody says. */
  start: number | undefined;
  /** Only says where a connection begins: told once. */
  isOpening(item: E): boolean;
  /** Why this cannot be what comes behind a number; null where it can. */
  fault(item: E, cursor: number | undefined): string | null;
}

/** Journals are numbered without gaps. */
const numbered = {
  start: 0,
  isOpening: () => false,
  fault: ({ seq }: { seq: number }, cursor = 0): string | null =>
    seq === cursor + 1 ? null : `event ${seq} came instead of ${cursor + 1}`,
};

export const sessionEvents: Sequence<Event> = {
  read: (reading, value) => reading.event(value),
  ...numbered,
};

export const taskEvents: Sequence<TaskEvent> = {
  read: (reading, value) => reading.taskEvent(value),
  ...numbered,
};

/** What changed several times is told once, so numbers are left out. A reset may go back. */
export const homeChanges: Sequence<HomeChange> = {
  read: (reading, value) => reading.homeChange(value),
  start: undefined,
  isOpening: ({ type }) => type === "stream.opened",
  fault: ({ seq, type }, cursor) =>
    cursor === undefined || seq > cursor || type.startsWith("stream.")
      ? null
      : `change ${seq} came behind ${cursor}`,
};

export class Cursor<E extends { seq: number }> {
  readonly #sequence: Sequence<E>;
  #at: number | undefined;
  #isOpened = false;

  constructor(sequence: Sequence<E>, after: number | undefined) {
    this.#sequence = sequence;
    this.#at = after ?? sequence.start;
  }

  /** The number of the newest item that was taken, or that was known before. */
  get at(): number | undefined {
    return this.#at;
  }

  /** Whether an item that another follower of the stream needs is known here. */
  has(item: E): boolean {
    return (
      this.#at !== undefined &&
      item.seq <= this.#at &&
      this.#sequence.fault(item, this.#at) !== null
    );
  }

  /** The item, if it says anything new. Throws where it cannot be the next. */
  take(item: E): E | null {
    if (this.#sequence.isOpening(item)) {
      if (this.#isOpened) return null;
      this.#isOpened = true;
      this.#at ??= item.seq;
      return { ...item, seq: this.#at };
    }
    const fault = this.#sequence.fault(item, this.#at);
    if (fault !== null) throw new Error(fault);
    this.#at = item.seq;
    return item;
  }
}
