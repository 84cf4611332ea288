import { asLost, type Fact, factOf } from "./facts.ts";
import { blank, evolve, type History, withGap } from "./history.ts";
import { Journal, type Read } from "./journal.ts";
import type { JournalRecord } from "./record.ts";

/** An execution's journal and what it amounts to, kept in step. */
export class Timeline {
  history: History = blank;
  /** Called with every fact that comes to be known. */
  onFact: (fact: Fact) => void = () => undefined;
  /** Called when a record could not be written. */
  onError: (error: unknown) => void = () => undefined;
  readonly #journal: Journal;
  #facts: Fact[] = [];
  /** What the journal amounts to for a successor of ours: without what a full disk did not take. */
  #written: History = blank;

  private constructor(journal: Journal, records: readonly Read[]) {
    this.#journal = journal;
    for (const record of records)
      if (record.kind === "unreadable") this.history = withGap(this.history);
      else this.#remember(record);
    this.#written = this.history;
  }

  static open(path: string): {
    timeline: Timeline;
    records: readonly Read[];
  } {
    const { journal, records } = Journal.open(path);
    return { timeline: new Timeline(journal, records), records };
  }

  /** In the order in which they came to be known. */
  get facts(): readonly Fact[] {
    return this.#facts;
  }

  /**
   * For what is true whether it is written down or not, and would be found out again: on a full disk it is only
   * remembered.
   */
  record(record: JournalRecord): void {
    let isWritten = true;
    try {
      this.#journal.append(record);
    } catch (error) {
      isWritten = false;
      this.onError(error);
    }
    this.#remember(record, isWritten);
  }

  /** For what must be written down before the next step: throws when it cannot be. Survives our death, not the machine's. */
  recordFirst(record: JournalRecord): void {
    this.#journal.append(record);
    this.#remember(record);
  }

  /** Like `recordFirst`, and survives the machine's death too. */
  async recordDurably(record: JournalRecord): Promise<void> {
    this.#journal.append(record);
    await this.#journal.flush();
    this.#remember(record);
  }

  /** What a successor of ours is sure to find, whatever happens to the machine. */
  async durable(): Promise<History> {
    const written = this.#written;
    await this.#journal.flush();
    return written;
  }

  close(): void {
    this.#journal.close();
  }

  #remember(record: JournalRecord, isWritten = true): void {
    const fact = factOf(this.history, record);
    const before = this.history;
    this.history = evolve(before, record);
    if (isWritten)
      this.#written =
        this.#written === before ? this.history : evolve(this.#written, record);
    if (record.kind === "output_lost") this.#facts = this.#facts.map(asLost);
    if (fact === null) return;
    this.#facts.push(fact);
    this.onFact(fact);
  }
}
