/**
 * Looks every second for what is due and has it woken. Waking one may take long, because its place does not answer: the
 * rounds do not wait for that, so nobody else is kept from going on (REC-58).
 */
import { isStorageTrouble } from "../failures/storage-trouble.ts";
import type { Clock, Log } from "../ports/home.ts";

const EVERY_MS = 1000;
const PAGE = 100;

/** What takes long, to be done beside the rounds. */
export type Waking = () => Promise<void>;

interface Parts<Row, Id> {
  clock: Clock;
  log: Log;
  /** What is looked for, in the plural, for the log. */
  what: string;
  /** Those due by this time, the longest due first, from `after` (exclusive); fewer than `limit` only at the end. */
  find: (by: string, after: Row | null, limit: number) => Promise<Row[]>;
  idOf: (row: Row) => Id;
  /** Looks at one that is due and does not wait for its place. Null: there is nothing to do. It does not reject. */
  look: (id: Id, now: string) => Promise<Waking | null>;
  /** All that were due in a round. */
  seen?: (ids: ReadonlySet<Id>) => void;
}

export class DueRounds<Row, Id> {
  readonly #parts: Parts<Row, Id>;
  readonly #timer: NodeJS.Timeout;
  readonly #waking = new Map<Id, Promise<void>>();
  #underWay: Promise<void> | null = null;
  #isFailing = false;
  #closed = false;

  constructor(parts: Parts<Row, Id>) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.lookSoon(), EVERY_MS);
    this.#timer.unref();
  }

  lookSoon(): void {
    if (this.#closed) return;
    this.#underWay ??= this.#round()
      .then(() => {
        this.#isFailing = false;
      })
      .catch((error: unknown) => {
        // The next round may well find the same.
        if (!this.#isFailing && !isStorageTrouble(error))
          this.#parts.log.error(
            { err: error },
            `could not look for ${this.#parts.what} that are due`,
          );
        this.#isFailing = true;
      })
      .finally(() => {
        this.#underWay = null;
      });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#underWay;
    await Promise.all(this.#waking.values());
  }

  async #round(): Promise<void> {
    const { clock, find, idOf, seen } = this.#parts;
    const now = clock.now().toISOString();
    const found = new Set<Id>();
    let after: Row | null = null;
    do {
      const page: Row[] = await find(now, after, PAGE);
      const ids = page.map(idOf);
      for (const id of ids) found.add(id);
      await Promise.all(ids.map((id) => this.#begin(id, now)));
      after = page.length < PAGE ? null : (page.at(-1) ?? null);
    } while (after !== null && !this.#closed);
    seen?.(found);
  }

  async #begin(id: Id, now: string): Promise<void> {
    if (this.#closed || this.#waking.has(id)) return;
    const wake = await this.#parts.look(id, now);
    if (wake === null) return;
    const waking = wake().finally(() => this.#waking.delete(id));
    this.#waking.set(id, waking);
  }
}
