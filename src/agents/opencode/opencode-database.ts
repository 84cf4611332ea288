import { stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import * as z from "zod";
import { type Person, rootOf } from "../state/agent-home.ts";
import type { Exported } from "./opencode-export.ts";
import { opencodeHome } from "./opencode-program.ts";

/**
 * What OpenCode's database holds of a session. It is the person's, and of all sessions: it is only ever read. Asking
 * OpenCode itself (`opencode export`) takes seconds, which is too long after every turn.
 */

/** The directory of a session; null when there is no such session. */
export const directoryOf = async (
  person: Person,
  token: string,
): Promise<string | null> => {
  const row = await reading(person, async (database) =>
    Directory.optional().parse(
      database.prepare("select directory from session where id = ?").get(token),
    ),
  );
  return row?.directory ?? null;
};

/** The session as `opencode export` would give it; null when there is none. It may be long: others are served meanwhile. */
export const readExport = (
  person: Person,
  token: string,
): Promise<Exported | null> =>
  reading(person, async (database) => {
    const row = Row.optional().parse(
      database.prepare("select * from session where id = ?").get(token),
    );
    if (row === undefined) return null;
    const parts = database.prepare(
      "select id, data from part where message_id = ? order by id",
    );
    const messages: Exported["messages"] = [];
    for (const each of database
      .prepare("select id, data from message where session_id = ? order by id")
      .iterate(token)) {
      const { id, data } = StoredRow.parse(each);
      messages.push({
        info: { ...data, id, sessionID: token },
        parts: parts.all(id).map((part) => {
          const stored = StoredRow.parse(part);
          const owners = { sessionID: token, messageID: id };
          return { ...stored.data, id: stored.id, ...owners };
        }),
      });
      await nextTurn();
    }
    return { info: infoOf(row), messages };
  });

/** What cannot be read is told: the session may well be there. */
const reading = async <T>(
  person: Person,
  read: (database: DatabaseSync) => Promise<T>,
): Promise<T | null> => {
  const path = join(
    rootOf(opencodeHome, "XDG_DATA_HOME", person),
    "opencode",
    "opencode.db",
  );
  const found = await stat(path).catch(() => null);
  if (found === null) return null;
  try {
    // SQLite would wait for a FIFO, and nobody is served meanwhile.
    if (!found.isFile()) throw new Error("it is no plain file");
    using database = new DatabaseSync(path, {
      readOnly: true,
      timeout: PATIENCE_MS,
    });
    // One look, while OpenCode may write.
    database.exec("begin");
    return await read(database);
  } catch (error) {
    const why =
      error instanceof z.ZodError
        ? "it is of another make"
        : error instanceof Error
          ? error.message
          : String(error);
    throw new Error(`OpenCode's database ${path} cannot be read: ${why}`, {
      cause: error,
    });
  }
};

/** Nobody else is served while we wait for a writer. */
const PATIENCE_MS = 200;

const Directory = z.object({ directory: z.string() });

const json = z
  .string()
  .transform((text): unknown => JSON.parse(text))
  .pipe(z.record(z.string(), z.unknown()));

const StoredRow = z.object({ id: z.string(), data: json });

const Row = z.object({
  id: z.string(),
  project_id: z.string(),
  slug: z.string(),
  directory: z.string(),
  path: z.string().nullable(),
  title: z.string(),
  version: z.string(),
  agent: z.string().nullable(),
  model: json.nullable(),
  revert: json.nullable(),
  cost: z.number(),
  tokens_input: z.number(),
  tokens_output: z.number(),
  tokens_reasoning: z.number(),
  tokens_cache_read: z.number(),
  tokens_cache_write: z.number(),
  time_created: z.number(),
  time_updated: z.number(),
});

const infoOf = (row: z.infer<typeof Row>): Exported["info"] => ({
  id: row.id,
  slug: row.slug,
  projectID: row.project_id,
  directory: row.directory,
  ...(row.path !== null && { path: row.path }),
  title: row.title,
  ...(row.agent !== null && { agent: row.agent }),
  ...(row.model !== null && { model: row.model }),
  version: row.version,
  ...(row.revert !== null && { revert: row.revert }),
  cost: row.cost,
  tokens: {
    input: row.tokens_input,
    output: row.tokens_output,
    reasoning: row.tokens_reasoning,
    cache: { read: row.tokens_cache_read, write: row.tokens_cache_write },
  },
  time: { created: row.time_created, updated: row.time_updated },
});
