/** A server that is killed at every commit while it does what was asked with a key, and is asked again each time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Client, ServerUnreachable } from "../../src/client/client.ts";
import type { Session } from "../../src/contract/session/session.ts";
import { say, TestHouse } from "./house.ts";

const KEY = { key: "once" };
const MAX_KILLS = 60;

test("[P1] [API-107] a fork and a rewind are done once, at whatever commit the server is killed", async () => {
  await using house = await TestHouse.make();
  const first = await house.up();
  const { id } = await first.client.createSession({ cwd: house.workspace });
  for (const turn of [1, 2]) await say(first.client, id, `turn ${turn}`);
  await first.client.pauseSession(id);
  await first.stop();

  const kills = {
    fork: await persist(house, (client) =>
      client.forkSession(id, { turn: 1 }, KEY),
    ),
    rewind: await persist(house, (client) =>
      client.rewindSession(id, { turn: 1 }, { key: "twice" }),
    ),
  };
  assert.ok(kills.fork > 0 && kills.rewind > 0, JSON.stringify(kills));

  const { client } = await house.up();
  const { sessions } = await client.listSessions();
  const forks = sessions.filter(({ parent }: Session) => parent !== null);
  assert.equal(forks.length, 1, "one fork");
  const { events } = await client.listEvents(id, { limit: 1000 });
  const rewinds = events.filter(({ type }) => type === "session.rewound");
  assert.equal(rewinds.length, 1, "one rewind");
  const again = await client.forkSession(id, { turn: 1 }, KEY);
  assert.equal(again.id, forks[0]?.id);
});

/** Asks until it is answered; the server dies at its first commit, then at its second, and so on. Says how often it died. */
const persist = async (
  house: TestHouse,
  ask: (client: Client) => Promise<unknown>,
): Promise<number> => {
  for (let kills = 0; kills < MAX_KILLS; kills += 1) {
    const env = { REPRISE_CRASH_AT: `store.after-commit:${kills + 1}` };
    // It may die while it starts.
    const server = await house.up(env).catch(() => null);
    if (server === null) continue;
    try {
      await ask(server.client);
      await server.stop();
      return kills;
    } catch (error) {
      if (!(error instanceof ServerUnreachable)) throw error;
      await server.kill();
    }
  }
  throw new Error(`no answer after ${MAX_KILLS} kills`);
};
