import { SessionId } from "../../contract/base/id.ts";

/** Rows that are damaged are left out, and others take their places: only the last page is short. */
export const fullPage = async <Row, T>(
  limit: number,
  after: Row | null,
  read: (after: Row | null, limit: number) => Promise<Row[]>,
  sound: (row: Row) => T[],
): Promise<T[]> => {
  const page: T[] = [];
  for (let from = after; ;) {
    const missing = limit - page.length;
    const rows = await read(from, missing);
    page.push(...rows.flatMap(sound));
    if (rows.length < missing || page.length === limit) return page;
    from = rows.at(-1) ?? null;
  }
};

/** None where it is damaged: no session has such an id. */
export const sessionIdOf = (text: string): SessionId[] => {
  const { success, data } = SessionId.safeParse(text);
  return success ? [data] : [];
};
