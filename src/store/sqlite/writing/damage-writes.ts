/** What is written about damage: what cannot be trusted, and rows that are made again. */
import type { DatabaseSync } from "node:sqlite";
import type { DerivedRows } from "../tables/append.ts";
import { attentionWrites } from "../tables/attention.ts";
import { changeWrites } from "../tables/changes.ts";
import { executorWrites } from "../tables/executors.ts";
import { journalEnds } from "../tables/journal-end.ts";
import { neededWrites, type CheckpointRow } from "../tables/needed.ts";
import { permissionWrites } from "../tables/permissions.ts";
import { promptWrites } from "../tables/prompts.ts";
import { sessionWrites } from "../tables/sessions.ts";

export interface DamageWrites {
  /** All rows that follow from the journal of a session are replaced. */
  derive: {
    query: {
      term: number;
      rows: DerivedRows;
      /** Of the whole journal, where that is sound. */
      checkpoints: readonly CheckpointRow[];
      damaged_from: number | null;
    };
    answer: null;
  };
  mark: {
    query: { term: number; session: string; from: number | null };
    answer: null;
  };
  trash: {
    query: { term: number; session: string; deleted_at: string | null };
    answer: null;
  };
}

export const damageWrites = (db: DatabaseSync) => {
  const sessions = sessionWrites(db);
  const changes = changeWrites(db);
  const ends = journalEnds(db);
  const executors = executorWrites(db);
  const attention = attentionWrites(db);
  const needed = neededWrites(db);
  const prompts = promptWrites(db);
  const permissions = permissionWrites(db);

  return {
    derive: ({
      rows,
      checkpoints,
      damaged_from,
    }: DamageWrites["derive"]["query"]): void => {
      const { id } = rows.session;
      const end = ends.byEvents(id);
      // They were written already with what the journal has grown by meanwhile.
      if (damaged_from === null && end.last_seq !== rows.session.last_seq)
        return;
      const last_seq = Math.max(end.last_seq, damaged_from ?? 0);
      sessions.replace({ ...rows.session, ...end, last_seq, damaged_from });
      changes.session(id, rows.lookup);
      executors.clear(id);
      if (rows.executor !== null) executors.put(rows.executor);
      if (rows.attention !== null) attention.put(id, rows.attention);
      // What was told behind a damage is nowhere else.
      if (damaged_from === null) needed.clear(id);
      for (const row of checkpoints) needed.put(id, row);
      prompts.clear(id);
      for (const change of rows.prompts) prompts.change(id, change);
      permissions.clear(id);
      for (const change of rows.permissions) permissions.change(id, change);
    },
    mark: ({ session, from }: DamageWrites["mark"]["query"]): void => {
      const row = sessions.row(session);
      if (row === null || row === "damaged row") return;
      sessions.change({ ...row, damaged_from: from });
      changes.touched(session);
    },
    trash: ({ session, deleted_at }: DamageWrites["trash"]["query"]): void => {
      const row = sessions.row(session);
      if (row === null || row === "damaged row") return;
      sessions.change({ ...row, deleted_at });
      changes.touched(session);
    },
  };
};
