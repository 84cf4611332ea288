/** Where the next event of a task goes, and whether it may. */
import type { DatabaseSync } from "node:sqlite";
import { chainStart } from "../../checksum.ts";
import { refuseDamagedTask, refuseSeq, type Refusal } from "../../refusal.ts";
import { unlessDamaged } from "../base/failure.ts";
import { PAGE_EVENTS, type ChainEnd } from "../reading/chain-reads.ts";
import { taskChainReads } from "../reading/task-journal-reads.ts";
import { taskEventWrites } from "../tables/task-events.ts";
import { taskWrites } from "../tables/tasks.ts";

/** The chain up to the newest event. */
interface Place {
  head: string;
}

export const taskEnds = (db: DatabaseSync) => {
  const tasks = taskWrites(db);
  const events = taskEventWrites(db);
  const chain = taskChainReads(db);

  /** The row and the newest event must say the same: this is all that most appends need. */
  const agreed = (id: string, after: number): Place | null =>
    unlessDamaged(() => {
      const end = tasks.end(id);
      if (end === null || end.last_seq !== after || end.damaged_from !== null)
        return null;
      return events.chainAt(id, after) === end.head ? { head: end.head } : null;
    });

  /** Reads all of it. Null when it is sound. */
  const firstDamage = (id: string, end: ChainEnd | null): number | null => {
    for (let after = 0; ;) {
      const query = { id, after, limit: PAGE_EVENTS, ignoreMark: true };
      const page =
        end === null ? chain.withoutRow(query) : chain.page(query, end);
      if (page.damage !== null) return page.damage.from;
      if (page.bodies.length === 0) return null;
      after += page.bodies.length;
    }
  };

  /** A row that is damaged says nothing: the events must fit each other, and the newest one is the end. */
  const byEvents = (id: string, after: number): Place | Refusal => {
    const last = events.lastSeq(id);
    const from = last === 0 ? 1 : firstDamage(id, null);
    if (from !== null) return refuseDamagedTask(id, from);
    return (
      refuseSeq(id, after, last) ?? {
        head: events.chainAt(id, last) ?? chainStart(id),
      }
    );
  };

  return {
    find: (id: string, after: number): Place | Refusal => {
      const place = agreed(id, after);
      if (place !== null) return place;
      const row = tasks.row(id);
      if (row === "damaged row") return byEvents(id, after);
      if (row === null)
        return refuseSeq(id, after, 0) ?? { head: chainStart(id) };
      if (row.damaged_from !== null)
        return refuseDamagedTask(id, row.damaged_from);
      return (
        refuseSeq(id, after, row.last_seq) ??
        refuseDamagedTask(id, firstDamage(id, row) ?? after)
      );
    },
  };
};
