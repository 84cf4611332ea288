/** Which session those of an older release were forked from, as their views tell. */
import { text } from "../base/row.ts";
import { parsed, at } from "../tables/json-path.ts";
import type { Fill } from "./fill.ts";

export const fillParents: Fill = (db) => {
  const one = db.prepare("SELECT view FROM sessions WHERE id = ?");
  const put = db.prepare("UPDATE sessions SET parent = ? WHERE id = ?");
  return (id) => {
    const row = one.get(id);
    if (row === undefined) return null;
    const parent = at(parsed(text(row, "view")), "parent", "session_id");
    return typeof parent === "string" ? () => put.run(parent, id) : null;
  };
};
