/** The journals of tasks as the main thread reads them: page by page, up to where they are damaged. */
import type { TaskId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { TaskEvent } from "../../contract/task/task-event.ts";
import type { Log } from "../../runtime/ports/home.ts";
import { refuseDamagedTask } from "../refusal.ts";
import { storedTaskEvent } from "../stored.ts";
import { firstDamage, readPages } from "./journal-pages.ts";
import type { Reads } from "./reading/reads.ts";
import type { Thread } from "./threads/thread.ts";
import type { Writes } from "./writing/writes.ts";

export interface TaskJournalParts {
  reader: Thread<Reads>;
  writer: Thread<Writes>;
  /** The term this server writes with. */
  term: () => number;
  log: Log | undefined;
}

export class TaskJournal {
  readonly #parts: TaskJournalParts;

  constructor(parts: TaskJournalParts) {
    this.#parts = parts;
  }

  /** A journal that is marked as damaged is read again: it may have been repaired. */
  async load(task: TaskId): Promise<{ last_seq: number } | null> {
    const end = await this.#parts.reader.ask("taskEnd", task);
    if (end === null) return null;
    const { last_seq, damaged_from } = end;
    if (damaged_from !== null) {
      const from = await this.#firstDamage(task);
      await this.#mark(task, from);
      if (from !== null) throw damagedFrom(task, from);
    }
    return { last_seq };
  }

  /** Ends before damage; refuses where the damage comes first. */
  async events(
    task: TaskId,
    after: number,
    limit: number,
  ): Promise<TaskEvent[]> {
    const { reader } = this.#parts;
    const { events, damage } = await readPages(
      (part) => reader.ask("taskEvents", { task, ...part }),
      { after, limit },
      storedTaskEvent,
    );
    if (events.length > 0 || damage === null) return events;
    if (damage.isMarked) throw damagedFrom(task, damage.from);
    const from = (await this.#firstDamage(task)) ?? damage.from;
    await this.#mark(task, from);
    throw damagedFrom(task, from);
  }

  #firstDamage(task: TaskId): Promise<number | null> {
    const { reader } = this.#parts;
    return firstDamage((part) =>
      reader.ask("taskEvents", { task, ...part, ignoreMark: true }),
    );
  }

  /** Where it cannot be written down, it is noticed again. */
  async #mark(task: TaskId, from: number | null): Promise<void> {
    const { writer, term, log } = this.#parts;
    if (from !== null)
      log?.error(
        { task_id: task, damaged_from: from },
        "the journal of a task is damaged; nothing is added to it",
      );
    await writer
      .ask("markTask", { term: term(), task, from })
      .catch((error: unknown) =>
        log?.warn(
          { task_id: task, err: error },
          "could not write down whether a task is damaged",
        ),
      );
  }
}

const damagedFrom = (task: TaskId, damaged_from: number): RepriseError => {
  const { code, message } = refuseDamagedTask(task, damaged_from);
  return new RepriseError(code, message, { damaged_from });
};
