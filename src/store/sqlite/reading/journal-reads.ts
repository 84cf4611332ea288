/** Reads events and notices where the journal is not what was written. */
import type { DatabaseSync } from "node:sqlite";
import { chainAfter, chainStart } from "../../checksum.ts";
import { isDamage } from "../base/failure.ts";
import { text, type Row } from "../base/row.ts";
import { sessionReads } from "../tables/sessions.ts";
import type { WholeSessionRow } from "../tables/session-row.ts";

/** A page ends at whichever comes first, so that no reader holds the thread, or the memory, for long. */
export const PAGE_EVENTS = 2000;
export const PAGE_CHARACTERS = 1024 * 1024;

export interface EventQuery {
  session: string;
  after: number;
  limit: number;
  /** Leaves the session's row alone: for whoever makes a damaged one again. */
  withoutRow?: boolean;
  /** Reads on where the row says that there is damage. */
  ignoreMark?: boolean;
}

/** An event that cannot be trusted. `isMarked`: the session's row says so already. */
export interface Damage {
  from: number;
  isMarked: boolean;
}

export interface EventPage {
  /** Events that fit the chain, in order. */
  bodies: string[];
  /** There may be more: the page was cut before the limit that was asked for. */
  more: boolean;
  /** The event behind them cannot be trusted. */
  damage: Damage | null;
}

const nothing: EventPage = { bodies: [], more: false, damage: null };

export const journalReads = (db: DatabaseSync) => {
  const sessions = sessionReads(db);
  const chain = db.prepare(
    "SELECT chain FROM events WHERE session_id = ? AND seq = ?",
  );
  const prepareFollowing = () =>
    db.prepare(`
      SELECT seq, chain, coalesce(events.body, blobs.body) AS body
      FROM events LEFT JOIN blobs ON blobs.sha256 = events.blob
      WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?`);
  let following = prepareFollowing();

  const chainAt = (session: string, seq: number): string =>
    seq === 0
      ? chainStart(session)
      : text(chain.get(session, seq) ?? {}, "chain");

  const read = (
    { session, after, limit }: EventQuery,
    end: Pick<WholeSessionRow, "last_seq" | "head"> | null,
  ): EventPage => {
    const bodies: string[] = [];
    let characters = 0;
    const torn = (): EventPage => ({
      bodies,
      more: false,
      damage: { from: after + bodies.length + 1, isMarked: false },
    });
    try {
      let before = chainAt(session, after);
      for (const row of following.iterate(session, after, limit)) {
        const seq = after + bodies.length + 1;
        const body = soundBody(row, seq, before, end);
        if (body === null) return torn();
        before = text(row, "chain");
        bodies.push(body);
        characters += body.length;
        if (characters >= PAGE_CHARACTERS) break;
      }
    } catch (error) {
      // A statement that failed while it was iterated fails again when it is used next, whoever uses it.
      following = prepareFollowing();
      if (!isDamage(error)) throw error;
      return torn();
    }
    const isCut = bodies.length === limit || characters >= PAGE_CHARACTERS;
    const isShort = end !== null && after + bodies.length < end.last_seq;
    return !isCut && isShort ? torn() : { bodies, more: isCut, damage: null };
  };

  return {
    /** The row is read before the events, so that events which come meanwhile are never missed. */
    page: (query: EventQuery): EventPage | "damaged row" => {
      const { session, after } = query;
      const limit = Math.min(query.limit, PAGE_EVENTS);
      if (query.withoutRow === true)
        return upTo(query.limit, read({ ...query, limit }, null));
      const row = sessions.row(session);
      if (row === "damaged row") return "damaged row";
      if (row === null || after >= row.last_seq) return nothing;
      const { damaged_from } = row;
      if (damaged_from === null || query.ignoreMark === true)
        return upTo(query.limit, read({ ...query, limit }, row));
      const left = damaged_from - 1 - after;
      if (left <= 0)
        return { ...nothing, damage: { from: damaged_from, isMarked: true } };
      // What is left is less than what is there: its end need not be looked at.
      const page = read({ ...query, limit: Math.min(limit, left) }, null);
      return upTo(query.limit, page);
    },
  };
};

/** There is no more where as much was read as was asked for. */
const upTo = (limit: number, page: EventPage): EventPage => ({
  ...page,
  more: page.more && page.bodies.length < limit,
});

/** The event's text if it is the one that was written there, null otherwise. */
const soundBody = (
  row: Row,
  seq: number,
  before: string,
  end: Pick<WholeSessionRow, "last_seq" | "head"> | null,
): string | null => {
  const { body, chain } = row;
  if (row["seq"] !== seq || typeof body !== "string") return null;
  if (chain !== chainAfter(before, body)) return null;
  return seq === end?.last_seq && chain !== end.head ? null : body;
};
