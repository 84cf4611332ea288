import type { DatabaseSync } from "node:sqlite";
import { isDamage } from "./failure.ts";
import { SELECT_LINKED_EVENTS, soundBody } from "./linked-events.ts";
import { number, text, type Row } from "./row.ts";

export interface ToldCheckpoints {
  /** Events that tell of checkpoints, by session and in order. */
  bodies: string[];
  /** Sessions of which more, or others, were written: their journals have to be read. */
  doubtful: string[];
}

/**
 * What the index of checkpoints leads to. Each event must fit the chain between its neighbours, and there must be as many
 * as the session's row counts: an index that has lost one looks like one that never had it.
 */
export const checkpointReads = (db: DatabaseSync) => {
  const found = (where: string): string => `
    ${SELECT_LINKED_EVENTS}
    WHERE events.type IN ('session.checkpoint.saved', 'session.checkpoint.partial', 'session.checkpoint.failed')
    ${where} ORDER BY events.session_id, events.seq`;
  const ofOne = db.prepare(found("AND events.session_id = ?"));
  const ofAll = db.prepare(found(""));
  const countOfOne = db.prepare(
    "SELECT id, checkpoints, damaged_from FROM sessions WHERE id = ?",
  );
  const countOfAll = db.prepare(
    "SELECT id, checkpoints FROM sessions WHERE checkpoints > 0",
  );

  /** Counted first: what is told of meanwhile makes more, never fewer. */
  const compared = (counts: Iterable<Row>, rows: Iterable<Row>) => {
    const told = new Map<
      string,
      { expected: number; bodies: (string | null)[] }
    >();
    for (const row of counts)
      told.set(text(row, "id"), {
        expected: number(row, "checkpoints"),
        bodies: [],
      });
    for (const row of rows) {
      const session = text(row, "session_id");
      const known = told.get(session) ?? { expected: 0, bodies: [] };
      known.bodies.push(soundBody(row));
      told.set(session, known);
    }
    const answer: ToldCheckpoints = { bodies: [], doubtful: [] };
    for (const [session, { expected, bodies }] of told) {
      const sound = bodies.filter((body) => body !== null);
      const isWhole =
        sound.length === bodies.length && sound.length >= expected;
      if (isWhole) answer.bodies.push(...sound);
      else answer.doubtful.push(session);
    }
    return answer;
  };
  return {
    /** Of a journal that is known to be damaged only what is before the damage is served. */
    one: (session: string): ToldCheckpoints => {
      const doubtful = { bodies: [], doubtful: [session] };
      try {
        const counts = countOfOne.all(session);
        return counts.some((row) => row["damaged_from"] !== null)
          ? doubtful
          : compared(counts, ofOne.all(session));
      } catch (error) {
        if (!isDamage(error)) throw error;
        return doubtful;
      }
    },
    /** Whoever frees what nothing needs has to know all that was told, before a damage and behind it. */
    all: (): ToldCheckpoints => {
      const counts = countOfAll.all();
      try {
        return compared(counts, ofAll.all());
      } catch (error) {
        if (!isDamage(error)) throw error;
        return { bodies: [], doubtful: counts.map((row) => text(row, "id")) };
      }
    },
  };
};
