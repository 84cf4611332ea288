/** Every item of a list that comes in pages. */
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
