import { asLost, type Fact, factOf } from "./facts.ts";
import { blank, evolve, type History, withGap } from "./history.ts";
import { Journal, type Read } from "./journal.ts";
import type { JournalRecord } from "./record.ts";

/** An execution's journal and what it amounts to, kept in step. */
export class Chronicle {
  history: History = blank;
  /** Called with every fact that comes to be known. */
  onFact: (fact: Fact) => void = () => undefined;
  /** Called when a record could not be written. */
  onError: (error: unknown) => void = () => undefined;
  readonly #journal: Journal;
  #facts: Fact[] = [];

  private constructor(journal: Journal, records: readonly Read[]) {
    this.#journal = journal;
    for (const record of records)
      if (record.kind === "unreadable") this.history = withGap(this.history);
      else this.#remember(record);
  }

  static open(path: string): {
    chronicle: Chronicle;
    records: readonly Read[];
  } {
    const { journal, records } = Journal.open(path);
    return { chronicle: new Chronicle(journal, records), records };
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
    try {
      this.#journal.append(record);
    } catch (error) {
      this.onError(error);
    }
    this.#remember(record);
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

  close(): void {
    this.#journal.close();
  }

  #remember(record: JournalRecord): void {
    const fact = factOf(this.history, record);
    this.history = evolve(this.history, record);
    if (record.kind === "output_lost") this.#facts = this.#facts.map(asLost);
    if (fact === null) return;
    this.#facts.push(fact);
    this.onFact(fact);
  }
}
