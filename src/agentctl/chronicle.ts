import { blank, evolve, type Fact, type History } from "./history.ts";
import { Journal } from "./journal.ts";
import type { JournalRecord } from "./record.ts";

/** An execution's journal and what it amounts to, kept in step. */
export class Chronicle {
  history: History;
  /** Called with every fact that comes to be known. */
  onFact: (fact: Fact) => void = () => undefined;
  /** Called when a record could not be written. */
  onError: (error: unknown) => void = () => undefined;
  readonly #journal: Journal;

  private constructor(journal: Journal, history: History) {
    this.#journal = journal;
    this.history = history;
  }

  static open(path: string): {
    chronicle: Chronicle;
    records: readonly JournalRecord[];
  } {
    const { journal, records } = Journal.open(path);
    const history = records.reduce(evolve, blank);
    return { chronicle: new Chronicle(journal, history), records };
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
    const known = this.history.facts.length;
    this.history = evolve(this.history, record);
    for (const fact of this.history.facts.slice(known)) this.onFact(fact);
  }
}
