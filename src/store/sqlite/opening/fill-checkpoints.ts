/** What the checkpoints of sessions of an older release need. */
import { checkpointReads } from "../reading/checkpoint-reads.ts";
import type { Fill } from "./fill.ts";
import { at, parsed } from "../tables/json-path.ts";
import { neededWrites, type CheckpointRow } from "../tables/needed.ts";
import { DamagedColumn } from "../base/row.ts";

/** Of a session whose journal cannot be trusted nothing is written: whoever has to know reads the journal. */
export const fillCheckpoints: Fill = (db) => {
  const reads = checkpointReads(db);
  const needed = neededWrites(db);
  return (session) => {
    const { bodies, doubtful } = reads.one(session);
    if (doubtful.length > 0 || bodies.length === 0) return null;
    const rows = bodies.map(rowIn);
    return () => {
      for (const row of rows) needed.put(session, row);
    };
  };
};

const rowIn = (body: string): CheckpointRow => {
  const event = parsed(body);
  const field = (name: string): unknown =>
    at(event, "data", "checkpoint", name);
  const [seq, id, turn] = [at(event, "seq"), field("id"), field("turn")];
  const kind = field("kind");
  if (
    typeof seq !== "number" ||
    typeof id !== "string" ||
    typeof turn !== "number" ||
    typeof kind !== "string"
  )
    throw new DamagedColumn("an event tells of no checkpoint");
  const tree = textOrNull(field("tree"));
  const agent_state = textOrNull(field("agent_state"));
  // A release without these rows knew no place but this machine.
  return { seq, id, turn, kind, tree, agent_state, place: null };
};

const textOrNull = (value: unknown): string | null =>
  typeof value === "string" ? value : null;
