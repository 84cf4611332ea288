/** What changed, in the store in memory. */
import type { SessionId, TaskId } from "../contract/base/id.ts";
import type { Task } from "../contract/task/task.ts";
import type { Append, Change, Changes } from "../runtime/ports/store.ts";
import { reachOf } from "./changes.ts";
import type { MemoryRow } from "./memory-lists.ts";
import { storedSession } from "./stored.ts";

export class MemoryChanges {
  readonly #removed: Change[] = [];
  #last = 0;

  next(): number {
    this.#last += 1;
    return this.#last;
  }

  /** Of a session's change: what is quiet is none. */
  numberOf({ quiet }: Append, before: MemoryRow | undefined): number {
    return quiet === true && before !== undefined
      ? before.changed
      : this.next();
  }

  sessionRemoved(id: SessionId): void {
    this.#removed.push({ changed: this.next(), kind: "session_removed", id });
  }

  taskRemoved(id: TaskId): void {
    this.#removed.push({ changed: this.next(), kind: "task_removed", id });
  }

  after(
    query: { after: number; limit: number },
    sessions: Iterable<MemoryRow>,
    tasks: readonly { changed: number; task: Task }[],
  ): Changes {
    const changes = [
      ...[...sessions].map(({ changed, view }): Change => ({
        changed,
        kind: "session",
        session: storedSession(view),
      })),
      ...tasks.map((each): Change => ({ kind: "task", ...each })),
      ...this.#removed,
    ]
      .filter(({ changed }) => changed > query.after)
      .sort((a, b) => a.changed - b.changed)
      .slice(0, query.limit);
    const numbers = changes.map(({ changed }) => changed);
    return {
      changes,
      ...reachOf(query, { last: this.#last, forgotten: 0, numbers }),
    };
  }
}
