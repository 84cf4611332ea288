import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { SessionId } from "../../contract/id.ts";
import { MessageRole } from "../../contract/message.ts";
import type { MessageStart, MessageStarts } from "../../runtime/ports.ts";
import { nullable, number, text } from "./row.ts";

/** Looked through at once: the thread answers others in between. */
const ROWS_AT_ONCE = 20_000;

export interface MessageStartsQuery {
  session: SessionId;
  before: number;
  limit: number;
}

/** Where messages begin, read from the end. Of all other events only the length is looked at. */
export const messageStartReads = (db: DatabaseSync) => {
  const ofMessage = (field: string): string => `
    CASE type WHEN 'session.message.added'
    THEN json_extract(coalesce(events.body, blobs.body), '$.data.message.${field}') END AS ${field}`;
  const backwards = db.prepare(`
    SELECT seq, type,
           coalesce(octet_length(events.body), octet_length(blobs.body)) AS bytes,
           ${["role", "turn", "continues"].map(ofMessage).join(",")}
    FROM events LEFT JOIN blobs ON blobs.sha256 = events.blob
    WHERE session_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?`);
  return {
    before: ({ session, before, limit }: MessageStartsQuery): MessageStarts => {
      const starts: MessageStart[] = [];
      let reached = before;
      let bytes = 0;
      for (const row of backwards.iterate(session, before, ROWS_AT_ONCE)) {
        reached = number(row, "seq");
        bytes += number(row, "bytes");
        const role = roleOf(row);
        if (role === null) continue;
        starts.push({
          seq: reached,
          bytes,
          role,
          turn: nullable(number, row, "turn"),
          continues: row["continues"] !== null,
        });
        bytes = 0;
        if (starts.length === limit) break;
      }
      return { starts, rest: bytes, reached };
    },
  };
};

/** Null when no message begins there. */
const roleOf = (row: Record<string, SQLOutputValue>): MessageRole | null => {
  if (text(row, "type") === "session.notice") return "notice";
  const role = nullable(text, row, "role");
  return role === null ? null : MessageRole.parse(role);
};
