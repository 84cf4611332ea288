/** All pages of what is in the trash. */
import type { Client } from "../../../src/client/client.ts";
import type { Session } from "../../../src/contract/session/session.ts";
import type { Task } from "../../../src/contract/task/task.ts";
import type { TrashLists } from "./trash-rows.ts";

const PAGE = 200;
/** More are not listed: those that go first are the oldest, and come last. */
const MAX_PAGES = 50;

export const readTrash = async (
  client: Pick<Client, "listSessions" | "listTasks">,
): Promise<TrashLists> => {
  const query = { deleted: true, limit: PAGE };
  const [sessions, tasks] = await Promise.all([
    allPages<Session>(async (after) => {
      const page = await client.listSessions({ ...query, ...from(after) });
      return { items: page.sessions, next: page.next };
    }),
    allPages<Task>(async (after) => {
      const page = await client.listTasks({ ...query, ...from(after) });
      return { items: page.tasks, next: page.next };
    }),
  ]);
  return { sessions, tasks };
};

const from = (after: string | null) => (after === null ? {} : { after });

const allPages = async <T>(
  read: (
    after: string | null,
  ) => Promise<{ items: readonly T[]; next: string | null }>,
): Promise<T[]> => {
  const all: T[] = [];
  let after: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { items, next } = await read(after);
    all.push(...items);
    if (next === null) break;
    after = next;
  }
  return all;
};
