/** What sessions of an older release are looked up by, as their views tell. */
import { text } from "../base/row.ts";
import { at, parsed } from "../tables/json-path.ts";
import type { Fill } from "./fill.ts";

export const fillLookups: Fill = (db) => {
  const one = db.prepare("SELECT view FROM sessions WHERE id = ?");
  const put = db.prepare(
    "UPDATE sessions SET agent = ?, name = ?, resume_token = ?, needs_you = ? WHERE id = ?",
  );
  return (id) => {
    const row = one.get(id);
    if (row === undefined) return null;
    const view = parsed(text(row, "view"));
    const agent = textAt(view, "agent");
    const name = textAt(view, "name");
    const token = textAt(view, "metadata", "resume_token");
    const asked = at(view, "pending_permissions");
    const needsYou =
      (Array.isArray(asked) && asked.length > 0) ||
      textAt(view, "budget", "reached") !== null;
    return () => put.run(agent, name, token, Number(needsYou), id);
  };
};

const textAt = (view: unknown, ...path: readonly string[]): string | null => {
  const found = at(view, ...path);
  return typeof found === "string" ? found : null;
};
