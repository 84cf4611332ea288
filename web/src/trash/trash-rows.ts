/** What is in the trash: as it was read, with what the home has told since. */
import type { Session } from "../../../src/contract/session/session.ts";
import type { Task } from "../../../src/contract/task/task.ts";
import { sessionName } from "../words/session-name.ts";

export interface TrashRow {
  kind: "session" | "task";
  id: string;
  name: string;
  /** Of a session its directory, of a task what is asked for. */
  about: string;
  deletedAt: string;
  /** Milliseconds since 1970. */
  until: number;
}

export interface TrashLists {
  sessions: readonly Session[];
  tasks: readonly Task[];
}

const DAY_MS = 86_400_000;

/** Who goes first comes first. */
export const trashRows = (
  read: TrashLists,
  told: {
    byId: ReadonlyMap<string, Session>;
    tasks: readonly Task[];
    removed: ReadonlySet<string>;
  },
  trashDays: number,
): TrashRow[] => {
  const sessions = new Map([
    ...read.sessions.map((each) => [each.id, each] as const),
    ...[...told.byId.values()].map((each) => [each.id, each] as const),
  ]);
  const tasks = new Map([
    ...read.tasks.map((each) => [each.id, each] as const),
    ...told.tasks.map((each) => [each.id, each] as const),
  ]);
  const rows: TrashRow[] = [];
  for (const session of sessions.values())
    if (session.deleted_at !== null)
      rows.push({
        kind: "session",
        id: session.id,
        name: sessionName(session),
        about: session.worktree_branch ?? session.cwd,
        deletedAt: session.deleted_at,
        until: Date.parse(session.deleted_at) + trashDays * DAY_MS,
      });
  for (const { id, title, description, deleted_at } of tasks.values())
    if (deleted_at !== undefined)
      rows.push({
        kind: "task",
        id,
        name: title,
        about: description,
        deletedAt: deleted_at,
        until: Date.parse(deleted_at) + trashDays * DAY_MS,
      });
  return rows
    .filter(({ id }) => !told.removed.has(id))
    .sort(
      (one, other) => one.until - other.until || (one.id < other.id ? -1 : 1),
    );
};
