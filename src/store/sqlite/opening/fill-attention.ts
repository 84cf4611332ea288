/** Which sessions of an older release a server has to look after, as far as their rows and events tell. */
import type { Fill } from "./fill.ts";
import { at, parsed } from "../tables/json-path.ts";
import { text } from "../base/row.ts";

export const fillAttention: Fill = (db) => {
  const one = db.prepare(`
    SELECT state, status FROM sessions
    LEFT JOIN executors_running ON session_id = sessions.id WHERE sessions.id = ?`);
  const view = db.prepare("SELECT view FROM sessions WHERE id = ?");
  const cut = db.prepare(`
    SELECT at, body FROM events WHERE session_id = ? AND type = 'session.turn.interrupted'
    ORDER BY seq DESC LIMIT 1`);
  const put = db.prepare(
    "INSERT INTO attention (session_id, live, due_at) VALUES (?, 1, ?) ON CONFLICT DO NOTHING",
  );

  const viewOf = (id: string): unknown =>
    parsed(text(view.get(id) ?? {}, "view"));

  /** When the quota is filled again that cut off a turn. A time that does not count any more is corrected when it has come. */
  const dueAt = (id: string): string | null => {
    if (at(viewOf(id), "on_interrupt") !== "continue") return null;
    const row = cut.get(id);
    if (row === undefined || typeof row["body"] !== "string") return null;
    const time = at(parsed(row["body"]), "data", "limit", "resets_at");
    const ms = typeof time === "string" ? Date.parse(time) : NaN;
    return ms > Date.parse(text(row, "at")) ? new Date(ms).toISOString() : null;
  };

  return (id) => {
    const { state, status } = one.get(id) ?? {};
    const isLive =
      state === "STARTING" ||
      state === "RUNNING" ||
      status === "starting" ||
      status === "ready" ||
      // agentctl could not be had, or the session could not be started: in the first case its agent may live.
      (status === "error" && isId(at(viewOf(id), "agent_execution_id")));
    if (!isLive) return null;
    const due_at = dueAt(id);
    return () => put.run(id, due_at);
  };
};

const isId = (value: unknown): boolean => typeof value === "string";
