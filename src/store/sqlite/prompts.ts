import type { DatabaseSync } from "node:sqlite";
import type { PromptId, SessionId } from "../../contract/id.ts";
import type { PromptChange } from "../../runtime/ports.ts";
import { nullable, number, text } from "./row.ts";

export const promptWrites = (db: DatabaseSync) => {
  const put = db.prepare(`
    INSERT INTO prompts (id, session_id, turn, state, text) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET
      turn = excluded.turn, state = excluded.state, text = excluded.text`);
  const change = db.prepare(
    "UPDATE prompts SET turn = ?, state = ? WHERE id = ? AND session_id = ?",
  );
  const owner = db.prepare("SELECT session_id FROM prompts WHERE id = ?");
  return {
    ownerOf: (id: PromptId): string | null => {
      const row = owner.get(id);
      return row === undefined ? null : text(row, "session_id");
    },
    change: (
      session: SessionId,
      { id, turn, state, text: words }: PromptChange,
    ): void => {
      if (words !== undefined) put.run(id, session, turn, state, words);
      else if (change.run(turn, state, id, session).changes === 0)
        throw new Error(`prompt ${id} has no text`);
    },
  };
};

export interface PromptRow {
  turn: number | null;
  state: string;
  text: string;
}

export const promptReads = (db: DatabaseSync) => {
  const one = db.prepare(
    "SELECT turn, state, text FROM prompts WHERE id = ? AND session_id = ?",
  );
  return {
    one: (query: { session: SessionId; id: PromptId }): PromptRow | null => {
      const row = one.get(query.id, query.session);
      if (row === undefined) return null;
      return {
        turn: nullable(number, row, "turn"),
        state: text(row, "state"),
        text: text(row, "text"),
      };
    },
  };
};
