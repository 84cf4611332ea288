/** A home with many sessions, one of which has many messages, written through the engine. */
import { join } from "node:path";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { BusySession, engineOn } from "../busy-session.ts";

const TURNS = 200;
/** With the prompt and what is said, 50 messages a turn. */
const CALLS_PER_TURN = 48;

export const SESSIONS = 1_000;
export const MESSAGES = TURNS * (CALLS_PER_TURN + 2);

/** Fills the home, whose server does not run. Returns the id of the session with many messages. */
export const fillHome = async (home: string): Promise<string> => {
  const store = await openSqliteStore({ path: join(home, "reprise.db") });
  const engine = engineOn(store, await store.claim());
  await Promise.all(
    Array.from({ length: SESSIONS }, async (_, n) =>
      (await BusySession.begin(engine, n + 2)).rest(),
    ),
  );
  const long = await BusySession.begin(engine, 1);
  for (let turn = 1; turn <= TURNS; turn += 1) {
    await long.words(2)();
    await long.calls(CALLS_PER_TURN)();
    if (turn < TURNS) await long.nextTurn();
    else await long.rest();
  }
  await store.close();
  return long.id;
};
