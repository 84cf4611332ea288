/** What sessions of an older release are looked up by, as their views tell. */
import { needsYou } from "../../../contract/session/needs-you.ts";
import { storedSession } from "../../stored.ts";
import { text } from "../base/row.ts";
import { at, parsed } from "../tables/json-path.ts";
import { isSoundSession } from "../tables/session-row.ts";
import type { Fill } from "./fill.ts";

export const fillLookups: Fill = (db) => {
  const one = db.prepare("SELECT * FROM sessions WHERE id = ?");
  const put = db.prepare(
    "UPDATE sessions SET agent = ?, name = ?, resume_token = ?, needs_you = ? WHERE id = ?",
  );
  return (id) => {
    const row = one.get(id);
    if (row === undefined) return null;
    const json = text(row, "view");
    const view = parsed(json);
    const agent = textAt(view, "agent");
    const name = textAt(view, "name");
    const token = textAt(view, "metadata", "resume_token");
    // A row that is damaged is made again from the journal by whoever reads it.
    const isNeedy = isSoundSession(row) && needsYou(storedSession(json));
    return () => put.run(agent, name, token, Number(isNeedy), id);
  };
};

const textAt = (view: unknown, ...path: readonly string[]): string | null => {
  const found = at(view, ...path);
  return typeof found === "string" ? found : null;
};
