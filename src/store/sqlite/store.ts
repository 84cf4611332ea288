import type { Event } from "../../contract/event.ts";
import { TaskId, type SessionId } from "../../contract/id.ts";
import { RepriseError } from "../../contract/problem.ts";
import { Prompt } from "../../contract/prompt.ts";
import type { Log, Store, TaskRecord } from "../../runtime/ports.ts";
import { pageOf, positionOf } from "../cursor.ts";
import { refuseNumbers } from "../refusal.ts";
import {
  storedCheckpoint,
  storedEnv,
  storedEvent,
  storedExecutor,
  storedSession,
} from "../stored.ts";
import type { Opened } from "./calls.ts";
import { describeDamage } from "./failure.ts";
import type { Reads } from "./reads.ts";
import type { TaskRow } from "./tasks.ts";
import { Thread } from "./thread.ts";
import { rowsOf, type Writes } from "./writes.ts";

/** Large events make a page end early: nobody has to hold all of them at once. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** Opens, or creates, the database at `path` with one thread that writes and one that reads. */
export const openSqliteStore = async ({
  path,
  beside = [],
  log,
  onDamage,
}: {
  path: string;
  /** Files and directories without which this database is not the one to write to: the home, its lock. */
  beside?: readonly string[];
  log?: Log;
  /** Called with what to tell the user when parts of the database are damaged. */
  onDamage?: (words: string) => void;
}): Promise<Store> => {
  const opened = { path, beside };
  const started = await Thread.start<Writes>("writer-thread", opened);
  const { thread: writer, migrated, damage } = started;
  if (damage !== null) onDamage?.(describeDamage(path, damage));
  if (migrated.length > 0)
    log?.info({ path, migrated }, "the database schema was brought up to date");
  const reader = await startReader(writer, opened);

  /** Page by page: other reads get their turn between pages, and so does this thread's event loop. */
  const readEvents = async (
    session: SessionId,
    after: number,
    limit: number,
  ): Promise<Event[]> => {
    const events: Event[] = [];
    let characters = 0;
    for (;;) {
      const page = await reader.ask("events", {
        session,
        after: events.at(-1)?.seq ?? after,
        limit: limit - events.length,
      });
      for (const body of page.bodies) {
        events.push(storedEvent(body));
        characters += body.length;
      }
      if (!page.more || characters > MOST_CHARACTERS) return events;
    }
  };

  return {
    claim: (above = 0) => writer.ask("claim", above),
    async append(change) {
      const wrong = refuseNumbers(change);
      if (wrong !== null) throw new RepriseError(wrong.code, wrong.message);
      await writer.ask("append", rowsOf(change));
    },
    async createTask(term, task, receipt) {
      await writer.ask("createTask", { term, task, receipt });
    },

    load: (session, version) => reader.ask("beginning", { session, version }),
    events: readEvents,
    messageStarts: (session, before, limit) =>
      reader.ask("messageStarts", { session, before, limit }),
    async checkpoints(session) {
      return (await reader.ask("checkpoints", session)).map(storedCheckpoint);
    },
    async purge(term, session) {
      await writer.ask("purge", { term, session });
    },
    async session(id) {
      const view = await reader.ask("session", id);
      return view === null ? null : storedSession(view);
    },
    async sessions({ after, limit, ...filter }) {
      const from = positionOf(after);
      const query = { ...filter, from, limit: limit + 1 };
      const { rows, next } = pageOf(await reader.ask("sessions", query), limit);
      return { sessions: rows.map(({ view }) => storedSession(view)), next };
    },
    async prompt(session_id, id) {
      const row = await reader.ask("prompt", { session: session_id, id });
      return row === null ? null : Prompt.parse({ id, session_id, ...row });
    },
    async executors() {
      return (await reader.ask("executors", null)).map(storedExecutor);
    },
    async env(session) {
      return storedEnv(await reader.ask("env", session));
    },
    receipt: (scope, key) => reader.ask("receipt", { scope, key }),
    async task(id) {
      const row = await reader.ask("task", id);
      return row === null ? null : taskOf(row);
    },
    async tasks({ after, limit }) {
      const query = { from: positionOf(after), limit: limit + 1 };
      const found = (await reader.ask("tasks", query))
        .map(taskOf)
        .map((task) => ({ at: task.created_at, id: task.id, task }));
      const { rows, next } = pageOf(found, limit);
      return { tasks: rows.map(({ task }) => task), next };
    },

    async close() {
      writer.refuse();
      // The writer goes last: the last connection to close folds the log into the database.
      await reader.close();
      await writer.close();
    },
  };
};

const startReader = async (
  writer: Thread<Writes>,
  opened: Opened,
): Promise<Thread<Reads>> => {
  try {
    return (await Thread.start<Reads>("reader-thread", opened)).thread;
  } catch (error) {
    await writer.close();
    throw error;
  }
};

const taskOf = (row: TaskRow): TaskRecord => ({
  ...row,
  id: TaskId.parse(row.id),
});
