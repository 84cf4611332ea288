/** The checksums of one session that an older release has written. */
import type { DatabaseSync } from "node:sqlite";
import { chainAfter, chainStart, rowChecksum } from "../../checksum.ts";
import { eventWrites } from "../tables/events.ts";
import { isDamage } from "../base/failure.ts";
import { executorColumns } from "../tables/executors.ts";
import { at, parsed } from "../tables/json-path.ts";
import { latestWish } from "../tables/latest-wish.ts";
import { permissionWrites } from "../tables/permissions.ts";
import { promptWrites } from "../tables/prompts.ts";
import {
  DamagedColumn,
  nullable,
  number,
  plain,
  text,
  type Row,
} from "../base/row.ts";
import { sessionWrites } from "../tables/sessions.ts";

const BATCH = 2000;

/** How far the events of a session have their checksums. */
export interface Sealed {
  seq: number;
  chain: string;
  /** The event behind them cannot be read. */
  isTorn: boolean;
}

export const sealSession = (db: DatabaseSync) => {
  const newest = db.prepare(`
    SELECT seq, chain FROM events WHERE session_id = ? AND chain IS NOT NULL ORDER BY seq DESC LIMIT 1`);
  const some = db.prepare(`
    SELECT seq, type, coalesce(events.body, blobs.body) AS body
    FROM events LEFT JOIN blobs ON blobs.sha256 = events.blob
    WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?`);
  const put = db.prepare(
    "UPDATE events SET chain = ? WHERE session_id = ? AND seq = ?",
  );
  const row = db.prepare(`
    SELECT id, task_id, cwd, state, deleted_at, last_active_at, last_seq, view, place FROM sessions WHERE id = ?`);
  const promptRow = db.prepare(
    "SELECT turn, state FROM prompts_unsealed WHERE id = ? AND session_id = ?",
  );
  const otherTables = [
    { table: "executors_running", columns: executorColumns },
    { table: "session_env", columns: ["session_id", "env"] },
  ].map(({ table, columns }) => ({
    columns,
    one: db.prepare(
      `SELECT ${columns.join(", ")} FROM ${table} WHERE session_id = ?`,
    ),
    put: db.prepare(`UPDATE ${table} SET checksum = ? WHERE session_id = ?`),
  }));
  const events = eventWrites(db);
  const latest = latestWish(db);
  const sessions = sessionWrites(db);
  const prompts = promptWrites(db);
  const permissions = permissionWrites(db);

  /** Prompts and permission requests get rows that name their event. */
  const keep = (session: string, seq: number, type: string, event: unknown) => {
    switch (type) {
      case "session.prompt.queued": {
        const id = textAt(event, "data", "prompt_id");
        const prompt = promptRow.get(id, session) ?? {};
        const turn = nullable(number, prompt, "turn");
        const state = text(prompt, "state");
        return prompts.change(session, { id, seq, turn, state });
      }
      case "session.permission.requested": {
        const id = textAt(event, "data", "permission", "id");
        const pending = { state: "pending", option_id: null, reason: null };
        return permissions.change(session, { id, seq, ...pending });
      }
      case "session.permission.answered": {
        const id = textAt(event, "data", "id");
        const option_id = textAt(event, "data", "option_id");
        const answered = { state: "answered", option_id, reason: null };
        return permissions.change(session, { id, ...answered });
      }
      case "session.permission.closed": {
        const id = textAt(event, "data", "id");
        const reason = textAt(event, "data", "reason");
        const closed = { state: "closed", option_id: null, reason };
        return permissions.change(session, { id, ...closed });
      }
    }
  };

  /** Of a batch with a damaged page in it, one at a time up to there. */
  const next = (session: string, after: number): Row[] => {
    try {
      return some.all(session, after, BATCH);
    } catch (error) {
      if (!isDamage(error)) throw error;
      return some.all(session, after, 1);
    }
  };

  const sealEvent = (session: string, before: Sealed, row: Row): Sealed => {
    const seq = before.seq + 1;
    const body = text(row, "body");
    const event = parsed(body);
    if (row["seq"] !== seq || at(event, "seq") !== seq)
      throw new DamagedColumn(`event ${seq} is not there`);
    const chain = chainAfter(before.chain, body);
    put.run(chain, session, seq);
    keep(session, seq, text(row, "type"), event);
    return { seq, chain, isTorn: false };
  };

  return {
    /** Where a server that was killed has stopped. */
    begin: (session: string): Sealed => {
      const found = newest.get(session);
      return found === undefined
        ? { seq: 0, chain: chainStart(session), isTorn: false }
        : {
            seq: number(found, "seq"),
            chain: text(found, "chain"),
            isTorn: false,
          };
    },

    /** The next events; as many as a transaction may have. */
    events: (session: string, { seq, chain }: Sealed): Sealed => {
      let sealed: Sealed = { seq, chain, isTorn: false };
      try {
        for (const row of next(session, seq))
          sealed = sealEvent(session, sealed, row);
        return sealed;
      } catch (error) {
        if (!isDamage(error)) throw error;
        return { ...sealed, isTorn: true };
      }
    },

    /** What is kept beside the events, and the session itself: with this it is done. */
    rows: (session: string, { seq, chain, isTorn }: Sealed): void => {
      for (const { one, columns, put } of otherTables) {
        const found = one.get(session);
        if (found === undefined) continue;
        const values = columns.map((name) => plain(found, name));
        put.run(rowChecksum(...values), session);
      }
      const found = row.get(session) ?? {};
      const last_seq = number(found, "last_seq");
      sessions.change({
        id: session,
        task_id: nullable(text, found, "task_id"),
        cwd: text(found, "cwd"),
        state: text(found, "state"),
        deleted_at: nullable(text, found, "deleted_at"),
        last_active_at: text(found, "last_active_at"),
        last_seq,
        view: text(found, "view"),
        head: chain,
        checkpoints: isTorn ? 0 : events.countCheckpoints(session),
        damaged_from: isTorn || seq < last_seq ? seq + 1 : null,
        last_wish_at: latest(session) ?? text(found, "last_active_at"),
        place: text(found, "place"),
      });
    },
  };
};

const textAt = (value: unknown, ...path: readonly string[]): string => {
  const found = at(value, ...path);
  if (typeof found === "string") return found;
  throw new DamagedColumn(`an event has no ${path.join(".")}`);
};
