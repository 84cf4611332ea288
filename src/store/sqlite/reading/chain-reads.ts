/** Reads the events of a journal and notices where they are not what was written. */
import type { DatabaseSync } from "node:sqlite";
import { chainAfter, chainStart } from "../../checksum.ts";
import { isDamage } from "../base/failure.ts";
import { text, type Row } from "../base/row.ts";

/** A page ends at whichever comes first, so that no reader holds the thread, or the memory, for long. */
export const PAGE_EVENTS = 2000;
export const PAGE_CHARACTERS = 1024 * 1024;

/** An event that cannot be trusted. `isMarked`: the row of the journal says so already. */
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

export const noEvents: EventPage = { bodies: [], more: false, damage: null };

/** A journal: its events, and how they are read. */
export interface ChainQuery {
  /** Of the session or the task. */
  id: string;
  after: number;
  limit: number;
  /** Reads on where the row says that there is damage. */
  ignoreMark?: boolean;
}

/** How a journal ends, as its row says. */
export interface ChainEnd {
  last_seq: number;
  head: string;
  damaged_from: number | null;
}

/** `chain` finds the chain of one event by id and number; `following` events behind a number: `seq`, `chain`, `body`. */
export const chainReads = (
  db: DatabaseSync,
  sql: { chain: string; following: string },
) => {
  const chain = db.prepare(sql.chain);
  let following = db.prepare(sql.following);

  const chainAt = (id: string, seq: number): string =>
    seq === 0 ? chainStart(id) : text(chain.get(id, seq) ?? {}, "chain");

  /** `end` is null where the row is not to be asked. */
  const read = (
    { id, after, limit }: ChainQuery,
    end: Omit<ChainEnd, "damaged_from"> | null,
  ): EventPage => {
    const bodies: string[] = [];
    let characters = 0;
    const torn = (): EventPage => ({
      bodies,
      more: false,
      damage: { from: after + bodies.length + 1, isMarked: false },
    });
    try {
      let before = chainAt(id, after);
      for (const row of following.iterate(id, after, limit)) {
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
      following = db.prepare(sql.following);
      if (!isDamage(error)) throw error;
      return torn();
    }
    const isCut = bodies.length === limit || characters >= PAGE_CHARACTERS;
    const isShort = end !== null && after + bodies.length < end.last_seq;
    return !isCut && isShort ? torn() : { bodies, more: isCut, damage: null };
  };

  return {
    /** What fits the chain, whatever the row says. */
    withoutRow: (query: ChainQuery): EventPage =>
      upTo(query.limit, read(withinPage(query), null)),

    /** The row must have been read before, so that events which come meanwhile are never missed. */
    page: (query: ChainQuery, row: ChainEnd): EventPage => {
      const { after } = query;
      const { damaged_from } = row;
      if (after >= row.last_seq) return noEvents;
      if (damaged_from === null || query.ignoreMark === true)
        return upTo(query.limit, read(withinPage(query), row));
      const left = damaged_from - 1 - after;
      if (left <= 0)
        return { ...noEvents, damage: { from: damaged_from, isMarked: true } };
      // What is left is less than what is there: its end need not be looked at.
      const limit = Math.min(withinPage(query).limit, left);
      return upTo(query.limit, read({ ...query, limit }, null));
    },
  };
};

const withinPage = (query: ChainQuery): ChainQuery => ({
  ...query,
  limit: Math.min(query.limit, PAGE_EVENTS),
});

/** There is no more where as much was read as was asked for. */
const upTo = (wanted: number, page: EventPage): EventPage => ({
  ...page,
  more: page.more && page.bodies.length < wanted,
});

/** The event's text if it is the one that was written there, null otherwise. */
const soundBody = (
  row: Row,
  seq: number,
  before: string,
  end: Omit<ChainEnd, "damaged_from"> | null,
): string | null => {
  const { body, chain } = row;
  if (row["seq"] !== seq || typeof body !== "string") return null;
  if (chain !== chainAfter(before, body)) return null;
  return seq === end?.last_seq && chain !== end.head ? null : body;
};
