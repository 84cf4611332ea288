/** Events with the chain of the one before each, so that each can be checked by itself. */
import { chainAfter, chainStart } from "../../checksum.ts";
import { text, type Row } from "../base/row.ts";

export const SELECT_LINKED_EVENTS = `
  SELECT events.session_id, events.seq, events.chain, before.chain AS before,
    coalesce(events.body, blobs.body) AS body
  FROM events
  LEFT JOIN events before ON before.session_id = events.session_id AND before.seq = events.seq - 1
  LEFT JOIN blobs ON blobs.sha256 = events.blob`;

/** The event's text if it is the one that was written behind the one before it, null otherwise. */
export const soundBody = (row: Row): string | null => {
  const { body, chain, before, seq } = row;
  const start = seq === 1 ? chainStart(text(row, "session_id")) : before;
  return typeof body === "string" &&
    typeof start === "string" &&
    chain === chainAfter(start, body)
    ? body
    : null;
};
