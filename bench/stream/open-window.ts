/** A page opens a session with 10,000 messages: its newest 100, over HTTP. */
import { join } from "node:path";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { TestHouse } from "../../test/e2e/house.ts";
import { BusySession, engineOn } from "../busy-session.ts";
import { limit, type Row } from "../figure.ts";

const ROUNDS = 15;
const TURNS = 1000;
const CALLS_PER_TURN = 8;
const CHUNKS_PER_TURN = 10;
const MESSAGES = 100;

export const openWindowRow = async (): Promise<Row> => {
  await using house = await TestHouse.make();
  const session = await fill(house);
  const { client } = await house.up();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    const { messages } = await client.showWindow(session, { limit: MESSAGES });
    times.push(performance.now() - start);
    if (messages.length !== MESSAGES)
      throw new Error(`${messages.length} messages instead of ${MESSAGES}`);
  }
  return limit(
    {
      what: "open the newest 100 of 10,000 messages",
      unit: "ms",
      ours: times,
    },
    { most: 50 },
  );
};

/** What the user said, what the agent said in pieces, and its tool calls are ten messages a turn. */
const fill = async (house: TestHouse): Promise<string> => {
  await (await house.up()).stop();
  const store = await openSqliteStore({ path: join(house.home, "reprise.db") });
  const session = await BusySession.begin(
    engineOn(store, await store.claim()),
    1,
  );
  for (let turn = 1; turn <= TURNS; turn += 1) {
    await session.words(CHUNKS_PER_TURN)();
    await session.calls(CALLS_PER_TURN)();
    if (turn < TURNS) await session.nextTurn();
    else await session.rest();
  }
  await store.close();
  return session.id;
};
