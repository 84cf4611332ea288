/** What changed in the home. A row that is damaged is made again first, and where it cannot be, the others are told without it. */
import { SessionId, TaskId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Change, Store } from "../../runtime/ports/store.ts";
import { reachOf } from "../changes.ts";
import { viewOf } from "./listing.ts";
import type { Reads } from "./reading/reads.ts";
import type { ChangedRow } from "./tables/changes.ts";
import type { Thread } from "./threads/thread.ts";

export const sqliteChanges =
  (
    reader: Thread<Reads>,
    store: Pick<Store, "session" | "task">,
  ): Store["changes"] =>
  async (after, limit) => {
    const query = { after, limit };
    const { rows, last, forgotten } = await reader.ask("changes", query);
    const numbers = rows.map(({ changed }) => changed);
    const reach = reachOf(query, { last, forgotten, numbers });
    if (reach.isReset) return { ...reach, changes: [] };
    const changes = await Promise.all(rows.map((row) => changeOf(store, row)));
    return { ...reach, changes: changes.flat() };
  };

const changeOf = async (
  store: Pick<Store, "session" | "task">,
  row: ChangedRow,
): Promise<Change[]> => {
  const { changed } = row;
  switch (row.kind) {
    case "session": {
      const session =
        row.stored === null
          ? await readable(SessionId.safeParse(row.id).data, store.session)
          : viewOf(row.stored);
      return session === null ? [] : [{ changed, kind: "session", session }];
    }
    case "task": {
      const task = await readable(TaskId.safeParse(row.id).data, store.task);
      return task === null ? [] : [{ changed, kind: "task", task }];
    }
    case "removed": {
      const session = SessionId.safeParse(row.id).data;
      if (session !== undefined)
        return [{ changed, kind: "session_removed", id: session }];
      const task = TaskId.safeParse(row.id).data;
      return task === undefined
        ? []
        : [{ changed, kind: "task_removed", id: task }];
    }
  }
};

const readable = async <Id, T>(
  id: Id | undefined,
  read: (id: Id) => Promise<T | null>,
): Promise<T | null> => {
  if (id === undefined) return null;
  try {
    return await read(id);
  } catch (error) {
    if (error instanceof RepriseError && error.code === "storage_damaged")
      return null;
    throw error;
  }
};
