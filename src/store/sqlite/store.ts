import { RepriseError } from "../../contract/problem/problem.ts";
import type { Derivation, Store } from "../../runtime/ports/store.ts";
import type { Log } from "../../runtime/ports/home.ts";
import {
  type Displaced,
  watchIdentities,
} from "../../kit/files/file-identity.ts";
import { refuseDisplaced } from "../displaced.ts";
import { permissionFrom, promptFrom } from "../from-event.ts";
import { refuseNumbers } from "../refusal.ts";
import { storedEnv } from "../stored.ts";
import { rowsOf } from "./tables/append.ts";
import { sqliteChanges } from "./changes.ts";
import { describeDamage } from "./base/failure.ts";
import { Journal } from "./journal.ts";
import { Listing } from "./listing.ts";
import { lookLater } from "./look-later.ts";
import { isLarge } from "./opening/look-through.ts";
import { Mending } from "./mending.ts";
import type { Reads } from "./reading/reads.ts";
import { sqliteTasks } from "./tasks.ts";
import { programOf, Thread, type ThreadOptions } from "./threads/thread.ts";
import { sqliteWebhooks } from "./webhooks.ts";
import type { Writes } from "./writing/writes.ts";

export interface SqliteOptions {
  path: string;
  /** Files and directories without which this database is not the one to write to: the home, its lock. */
  watchedPaths?: readonly string[];
  log?: Log;
  /** Called with what to tell the user when parts of the database are damaged. */
  onDamage?: (words: string) => void;
  /** How damaged rows are made again from a journal. Where nobody says, they are refused. */
  derive?: () => Derivation;
}

/** Opens, or creates, the database at `path` with one thread that writes and one that reads. */
export const openSqliteStore = async ({
  path,
  watchedPaths = [],
  log,
  onDamage,
  derive,
}: SqliteOptions): Promise<Store> => {
  const opened = { path, watchedPaths };
  const onEnded = (err: unknown): void =>
    log?.error(
      { err },
      "a thread of the database has ended; the next request starts it again",
    );
  const identities = { displaced: (): Displaced | null => null };
  const check = (): void => {
    const displaced = identities.displaced();
    if (displaced === null) return;
    const { code, message } = refuseDisplaced(displaced);
    throw new RepriseError(code, message);
  };
  const tell = (found: string) => onDamage?.(describeDamage(path, found));
  const each = { opened, check, onEnded, onDamage: tell };
  const started = await Thread.start<Writes>({
    program: programOf("writer-thread"),
    ...each,
  });
  identities.displaced = watchIdentities([...watchedPaths, path]);
  const { thread: writer, migrated, damage } = started;
  if (damage !== null) tell(damage);
  if (migrated.length > 0)
    log?.info({ path, migrated }, "the database schema was brought up to date");
  const reader = await startReader(writer, each);
  const look = isLarge(path) ? lookLater(path, tell) : null;

  let term = 0;
  const parts = { reader, writer, term: () => term, log };
  const mending = new Mending({ ...parts, derive });
  const journal = new Journal({ ...parts, mending });
  const listing = new Listing({ reader, mending, onLeftOut: tell });

  const tasks = sqliteTasks({ ...parts, onLeftOut: tell });

  return {
    async claim(above = 0) {
      term = await writer.ask("claim", above);
      return term;
    },
    term: () => reader.ask("term", null),
    async append(change) {
      const wrong = refuseNumbers(change);
      if (wrong !== null) throw new RepriseError(wrong.code, wrong.message);
      await writer.ask("append", rowsOf(change));
    },
    async putReceipt(term, receipt) {
      await writer.ask("putReceipt", { term, receipt });
    },
    async addReceipt(term, receipt, kept) {
      await writer.ask("addReceipt", { term, receipt, kept });
    },
    async purge({ key: place, term }, session) {
      await writer.ask("purge", { term, place, session });
    },
    async noteSwept({ key: place, term }, purges) {
      await writer.ask("noteSwept", { term, place, purges });
    },
    async attend({ term }, session, last_seq, attention) {
      await writer.ask("attend", { term, session, last_seq, attention });
    },
    async trashDamaged({ term }, session, deleted_at) {
      await writer.ask("trash", { term, session, deleted_at });
    },

    load: (session, version) => journal.load(session, version),
    events: (session, after, limit) => journal.events(session, after, limit),
    messageStarts: (session, before, limit) =>
      journal.messageStarts(session, before, limit),
    line: (session, version) => reader.ask("line", { session, version }),
    async saveLine(term, session, line) {
      await writer.ask("saveLine", { term, session, line });
    },
    checkpoints: (session) => journal.checkpoints(session),
    needed: () => journal.needed(),
    inspect: (session) => journal.inspect(session),
    onDamaged: (listen) => journal.onDamaged(listen),

    places: () => listing.places(),
    unswept: () => listing.unswept(),
    session: (id) => listing.session(id),
    sessions: (filter) => listing.sessions(filter),
    damaged: (limit) => listing.damaged(limit),
    executors: () => listing.executors(),
    live: (after, limit) => listing.live(after, limit),
    due: (by, after, limit) => listing.due(by, after, limit),

    async prompt(session, id) {
      const row = await mending.asked(session, () =>
        reader.ask("prompt", { session, id }),
      );
      if (row === null) return null;
      const [event] = await journal.events(session, row.seq - 1, 1);
      return promptFrom(event, { ...row, id, session_id: session });
    },
    async permission(session, id) {
      const row = await mending.asked(session, () =>
        reader.ask("permission", { session, id }),
      );
      if (row === null) return null;
      const [event] = await journal.events(session, row.seq - 1, 1);
      return permissionFrom(event, row);
    },
    async env(session) {
      return storedEnv(await reader.ask("env", session));
    },
    changes: sqliteChanges(reader, {
      session: (id) => listing.session(id),
      task: (id) => tasks.task(id),
    }),
    receiptsOf: (key, after) => reader.ask("receiptsOf", { key, after }),
    races: (after, limit) => reader.ask("races", { after, limit }),
    receipt: (scope, key) => reader.ask("receipt", { scope, key }),

    ...tasks,
    ...sqliteWebhooks(parts),

    async close() {
      for (const thread of [reader, writer]) thread.refuse();
      await look?.stop();
      // The writer goes last: the last connection to close folds the log into the database.
      await reader.close();
      await writer.close();
    },
  };
};

const startReader = async (
  writer: Thread<Writes>,
  options: Omit<ThreadOptions, "program">,
): Promise<Thread<Reads>> => {
  try {
    return (
      await Thread.start<Reads>({
        program: programOf("reader-thread"),
        ...options,
      })
    ).thread;
  } catch (error) {
    await writer.close();
    throw error;
  }
};
