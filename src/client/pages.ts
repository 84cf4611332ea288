/** Lists that come in pages. */
import type { Session } from "../contract/session/session.ts";
import type { Client, Given } from "./client.ts";

/** The largest page that is asked for. */
const PAGE = 500;

/** Every item of a list, a page at a time. */
export async function* pages<T>(
  fetchPage: (cursor: {
    after?: string;
  }) => Promise<{ items: readonly T[]; next: string | null }>,
): AsyncGenerator<T, void, undefined> {
  let cursor: { after?: string } = {};
  for (;;) {
    const { items, next } = await fetchPage(cursor);
    yield* items;
    if (next === null) return;
    cursor = { after: next };
  }
}

export const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

export type SessionsFilter = Omit<
  NonNullable<Given<"listSessions">["query"]>,
  "after"
>;

/** Every session that fits, the most recently active first unless the filter says otherwise. */
export const allSessions = (
  client: Pick<Client, "listSessions">,
  filter: SessionsFilter = {},
): AsyncGenerator<Session, void, undefined> =>
  pages(async (after) => {
    const page = await client.listSessions({
      limit: PAGE,
      ...filter,
      ...after,
    });
    return { items: page.sessions, next: page.next };
  });
