import type { DatabaseSync } from "node:sqlite";
import type { SessionId } from "../../contract/id.ts";
import type { MessageStarts } from "../../runtime/ports.ts";
import { number, text } from "./row.ts";

/** Looked through at once: the thread answers others in between. */
const ROWS_AT_ONCE = 20_000;

export interface MessageStartsQuery {
  session: SessionId;
  before: number;
  limit: number;
}

/** Where messages begin, read from the end. Only the length of each event's body is looked at, not the body. */
export const messageStartReads = (db: DatabaseSync) => {
  const backwards = db.prepare(`
    SELECT seq, type,
           coalesce(octet_length(events.body), octet_length(blobs.body)) AS bytes
    FROM events LEFT JOIN blobs ON blobs.sha256 = events.blob
    WHERE session_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?`);
  return {
    before: ({ session, before, limit }: MessageStartsQuery): MessageStarts => {
      const starts: MessageStarts["starts"] = [];
      let reached = before;
      let bytes = 0;
      for (const row of backwards.iterate(session, before, ROWS_AT_ONCE)) {
        reached = number(row, "seq");
        bytes += number(row, "bytes");
        const type = text(row, "type");
        if (type !== "session.message.added" && type !== "session.notice")
          continue;
        starts.push({
          seq: reached,
          bytes,
          isNotice: type === "session.notice",
        });
        bytes = 0;
        if (starts.length === limit) break;
      }
      return { starts, rest: bytes, reached };
    },
  };
};
