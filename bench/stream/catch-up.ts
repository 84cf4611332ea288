/** A client comes back with a cursor 100,000 events behind. */
import { join } from "node:path";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { TestHouse, type Server } from "../../test/e2e/house.ts";
import { engineOn, longSession } from "../busy-session.ts";
import { limit, type Row } from "../figure.ts";
import { subscribe } from "./subscriber.ts";

const ROUNDS = 5;
const TURNS = 100;
const EVENTS_PER_TURN = 1000;

export const catchUpRow = async (): Promise<Row> => {
  await using house = await TestHouse.make();
  const session = await fill(house);
  const server = await house.up();
  const { last_seq } = await server.client.showSession(session);
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rates.push(await rate(server, session, last_seq));
  return limit(
    {
      what: `reconnect ${last_seq.toLocaleString("en")} events behind`,
      unit: "events/s",
      ours: rates,
    },
    { least: 50_000 },
  );
};

/** Events per second from asking until the last one is here. */
const rate = async (
  server: Server,
  session: string,
  events: number,
): Promise<number> => {
  const all = Promise.withResolvers<void>();
  let seen = 0;
  const start = performance.now();
  const leave = await subscribe(server, session, 0, (bytes) => {
    seen += countOf(bytes);
    // The first message is the hint when to come back.
    if (seen > events) all.resolve();
  });
  await all.promise;
  const took = performance.now() - start;
  leave();
  return events / (took / 1000);
};

/** Messages end with an empty line, and no JSON holds a line end. */
const countOf = (bytes: Buffer): number => {
  let count = 0;
  for (let at = bytes.indexOf(END); at !== -1; at = bytes.indexOf(END, at + 1))
    count += 1;
  return count;
};
const END = Buffer.from("\n\n");

const fill = async (house: TestHouse): Promise<string> => {
  await (await house.up()).stop();
  const store = await openSqliteStore({ path: join(house.home, "reprise.db") });
  const engine = engineOn(store, await store.claim());
  const session = await longSession(engine, 1, TURNS, EVENTS_PER_TURN);
  await session.rest();
  await store.close();
  return session.id;
};
