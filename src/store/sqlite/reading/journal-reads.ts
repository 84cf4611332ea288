/** The journals of sessions. */
import type { DatabaseSync } from "node:sqlite";
import { sessionReads } from "../tables/sessions.ts";
import { chainReads, noEvents, type EventPage } from "./chain-reads.ts";

export interface EventQuery {
  session: string;
  after: number;
  limit: number;
  /** Leaves the session's row alone: for whoever makes a damaged one again. */
  withoutRow?: boolean;
  /** Reads on where the row says that there is damage. */
  ignoreMark?: boolean;
}

export const journalReads = (db: DatabaseSync) => {
  const sessions = sessionReads(db);
  const events = chainReads(db, {
    chain: "SELECT chain FROM events WHERE session_id = ? AND seq = ?",
    following: `
      SELECT seq, chain, coalesce(events.body, blobs.body) AS body
      FROM events LEFT JOIN blobs ON blobs.sha256 = events.blob
      WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
  });

  return {
    page: ({
      session: id,
      withoutRow,
      ...query
    }: EventQuery): EventPage | "damaged row" => {
      if (withoutRow === true) return events.withoutRow({ id, ...query });
      const row = sessions.row(id);
      if (row === "damaged row") return "damaged row";
      return row === null ? noEvents : events.page({ id, ...query }, row);
    },
  };
};
