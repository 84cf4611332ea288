import type { DatabaseSync } from "node:sqlite";
import type {
  MessageStart,
  MessageStarts,
} from "../../../runtime/ports/store.ts";
import { startOf } from "../../message-start.ts";
import { storedEvent } from "../../stored.ts";
import { isDamage } from "../base/failure.ts";
import { PAGE_CHARACTERS, PAGE_EVENTS, type Damage } from "./chain-reads.ts";
import { SELECT_LINKED_EVENTS, soundBody } from "../tables/linked-events.ts";
import { sessionReads } from "../tables/sessions.ts";

export interface MessageStartsQuery {
  session: string;
  before: number;
  limit: number;
}

/** A page ends at damage: nothing is said of what is before it. */
export type MessageStartsPage = MessageStarts & { damage: Damage | null };

/** Where messages begin, read from the end. All events are read, because only then can they be compared with their chain. */
export const messageStartReads = (db: DatabaseSync) => {
  const sessions = sessionReads(db);
  const prepareBackwards = () =>
    db.prepare(
      `${SELECT_LINKED_EVENTS} WHERE events.session_id = ? AND events.seq <= ? ORDER BY events.seq DESC LIMIT ?`,
    );
  let backwards = prepareBackwards();

  const read = (
    session: string,
    newest: number,
    head: string | null,
    limit: number,
  ): MessageStartsPage => {
    const starts: MessageStart[] = [];
    let reached = newest + 1;
    let rest = 0;
    let characters = 0;
    const page = (damage: Damage | null): MessageStartsPage => ({
      starts,
      rest,
      reached,
      damage,
    });
    const torn = () => page({ from: reached - 1, isMarked: false });
    try {
      for (const row of backwards.iterate(session, newest, PAGE_EVENTS)) {
        const body = row["seq"] === reached - 1 ? soundBody(row) : null;
        const isOtherEnd =
          reached > newest && head !== null && row["chain"] !== head;
        if (body === null || isOtherEnd) return torn();
        reached -= 1;
        rest += Buffer.byteLength(body);
        characters += body.length;
        const start = startIn(body);
        if (start !== null) {
          starts.push({ seq: reached, bytes: rest, ...start });
          rest = 0;
        }
        if (starts.length === limit || characters >= PAGE_CHARACTERS)
          return page(null);
      }
    } catch (error) {
      // A statement that failed while it was iterated fails again when it is used next, whoever uses it.
      backwards = prepareBackwards();
      if (!isDamage(error)) throw error;
      return torn();
    }
    const isShort = reached > Math.max(1, newest - PAGE_EVENTS + 1);
    return isShort ? torn() : page(null);
  };

  return {
    before: (query: MessageStartsQuery): MessageStartsPage | "damaged row" => {
      const { session, before, limit } = query;
      const row = sessions.row(session);
      if (row === "damaged row") return "damaged row";
      const none = { starts: [], rest: 0, reached: before };
      if (row === null) return { ...none, damage: null };
      const { last_seq, head, damaged_from: from } = row;
      const newest = Math.min(before - 1, last_seq);
      if (from !== null && from <= newest)
        return { ...none, damage: { from, isMarked: true } };
      const end = newest === last_seq ? head : null;
      return read(session, newest, end, limit);
    },
  };
};

/** Most events begin no message: those need not be parsed. */
const startIn = (body: string) =>
  body.includes('"session.message.added"') || body.includes('"session.notice"')
    ? startOf(storedEvent(body))
    : null;
