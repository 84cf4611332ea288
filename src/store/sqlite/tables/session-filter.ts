import { dirname } from "node:path";
import type { SQLInputValue } from "node:sqlite";
import { placeKey } from "../../../contract/base/place-key.ts";
import type { SessionFilter } from "../../../runtime/ports/store.ts";
import type { Position } from "../../cursor.ts";

/** The filter of the port, its cursor opened. */
export interface SessionQuery extends Omit<SessionFilter, "after"> {
  from: Position | null;
}

/** What the newest come first by. */
export const orderColumn = ({
  order,
  prefix,
}: Pick<SessionFilter, "order" | "prefix">) => {
  if (prefix !== undefined) return "id";
  return order === "wish" ? "last_wish_at" : "last_active_at";
};

/** Whether nothing but the index by state finds few rows. */
export const isByStateAlone = (filter: SessionQuery): boolean =>
  filter.order !== "wish" &&
  filter.deleted !== true &&
  filter.needs_you !== true &&
  [
    filter.task_id ?? undefined,
    filter.cwd,
    filter.near,
    filter.agent,
    filter.name,
    filter.resume_token,
    filter.parent,
    filter.prefix,
  ].every((each) => each === undefined);

/** Behind every text that is an id. */
const LAST = "\u{10ffff}";

/** Only the conditions that are asked for, so that each combination can use its index. */
export const conditionOf = (filter: SessionQuery) => {
  const conditions: string[] = [];
  const values: SQLInputValue[] = [];
  const demand = (condition: string, ...operands: SQLInputValue[]): void => {
    conditions.push(condition);
    values.push(...operands);
  };
  if (filter.task_id === null) demand("task_id IS NULL");
  else if (filter.task_id !== undefined) demand("task_id = ?", filter.task_id);
  if (filter.prefix !== undefined)
    demand("id >= ? AND id < ?", filter.prefix, `${filter.prefix}${LAST}`);
  demand(
    filter.deleted === true ? "deleted_at IS NOT NULL" : "deleted_at IS NULL",
  );
  if (filter.cwd !== undefined)
    demand(
      "place = ? AND cwd = ?",
      placeKey(filter.cwd.place),
      filter.cwd.path,
    );
  if (filter.near !== undefined) {
    const place = placeKey(filter.near.place);
    const { above, beneath, beyond } = aroundOf(filter.near.path);
    demand(
      `id IN (
        SELECT id FROM sessions WHERE place = ? AND cwd IN (SELECT value FROM json_each(?))
        UNION ALL SELECT id FROM sessions WHERE place = ? AND cwd >= ? AND cwd < ?)`,
      place,
      JSON.stringify(above),
      place,
      beneath,
      beyond,
    );
  }
  if (filter.states !== undefined)
    // Not by the index by state: another one finds fewer rows.
    demand(
      "+state IN (SELECT value FROM json_each(?))",
      JSON.stringify(filter.states),
    );
  if (filter.agent !== undefined) demand("agent = ?", filter.agent);
  if (filter.resume_token !== undefined)
    demand("resume_token = ?", filter.resume_token);
  if (filter.parent !== undefined) demand("parent = ?", filter.parent);
  if (filter.name !== undefined) demand("name = ?", filter.name);
  if (filter.needs_you === true) demand("needs_you = 1");
  if (filter.from !== null)
    demand(
      `(${orderColumn(filter)}, id) < (?, ?)`,
      filter.from.at,
      filter.from.id,
    );
  return { where: `WHERE ${conditions.join(" AND ")}`, values };
};

/** A directory with all above it, and the range in which the paths beneath it lie: "/" comes right before "0". */
const aroundOf = (directory: string) => {
  const above = [directory];
  for (let at = directory; dirname(at) !== at; at = dirname(at))
    above.push(dirname(at));
  const start = directory === "/" ? "" : directory;
  return { above, beneath: `${start}/`, beyond: `${start}0` };
};
