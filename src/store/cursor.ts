/** Where a page of a list ended: the sort key and the id of its last row, opaque to callers. */
import * as z from "zod";
import { RepriseError } from "../contract/problem/problem.ts";

export interface Position {
  at: string;
  id: string;
}

const Key = z.tuple([z.string(), z.string()]);

/** Null: from the beginning. */
export const positionOf = (cursor: string | undefined): Position | null => {
  if (cursor === undefined) return null;
  try {
    const [at, id] = Key.parse(
      JSON.parse(Buffer.from(cursor, "base64url").toString()),
    );
    return { at, id };
  } catch (cause) {
    throw new RepriseError(
      "invalid_request",
      "`after` is no cursor of this list: give the `next` of the page before.",
      { cause },
    );
  }
};

/** Lists come newest first; equal times are told apart by id, so no row is skipped or repeated between pages. */
export const newestFirst = (a: Position, b: Position): number =>
  compare(b.at, a.at) || compare(b.id, a.id);

/** Cuts one page out of rows that were asked for one more than `limit`. */
export const pageOf = <Row extends Position>(
  rows: readonly Row[],
  limit: number,
): { rows: readonly Row[]; next: string | null } => {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { rows: page, next: more ? cursorOf(last) : null };
};

const cursorOf = ({ at, id }: Position): string =>
  Buffer.from(JSON.stringify([at, id])).toString("base64url");

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
