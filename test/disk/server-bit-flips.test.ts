/** The same as `bit-flips.test.ts`, with a real server on the file: few flips, everything that a client can read. */
import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Client } from "../../src/client/client.ts";
import type { Event } from "../../src/contract/event/event.ts";
import { RepriseError } from "../../src/contract/problem/problem.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { Chance } from "../chaos/random.ts";
import { TestHouse, say, type Server } from "../e2e/house.ts";

const FLIPS = 5;

test("[STO-2] [STO-4] a client of a real server is never served a flipped bit", async () => {
  await using house = await TestHouse.make();
  const first = await house.up();
  const sessions: string[] = [];
  for (const n of [1, 2, 3]) {
    const { id } = await first.client.createSession({});
    sessions.push(id);
    for (const turn of [1, 2])
      await say(first.client, id, `turn ${turn} ${`words ${n} `.repeat(50)}`);
    await first.client.endSession(id);
    await eventually(
      () => first.client.showSession(id),
      ({ agent_execution_id, checkpoint }) =>
        agent_execution_id === null && checkpoint?.turn === 2,
    );
  }
  const before = await served(first.client, sessions);
  await first.stop();
  const path = join(house.home, "reprise.db");
  const good = await readFile(path);

  const seed = Number(process.env["REPRISE_SEED"] ?? Date.now() % 1_000_000);
  console.log(`seed ${seed}: ${FLIPS} flips in ${good.length} bytes`);
  const chance = new Chance(seed);
  for (let flip = 0; flip < FLIPS; flip += 1) {
    const at = chance.between(0, good.length - 1);
    const bit = chance.between(0, 7);
    const bytes = Buffer.from(good);
    bytes[at] = bytes[at]! ^ (1 << bit);
    for (const log of ["-wal", "-shm"]) await rm(path + log, { force: true });
    await writeFile(path, bytes);
    const server = await house.up().catch(() => null);
    // Who starts it is told why it does not start.
    if (server === null) continue;
    const after = await served(server.client, sessions);
    const isTold = (await toldAtStart(server)) > 0;
    await server.stop();
    for (const [what, answer] of before)
      assert.ok(
        isTold || after.get(what) === answer || after.get(what) === null,
        `seed ${seed}: bit ${bit} of byte ${at} changes ${what}`,
      );
  }
});

/** By what was asked: the answer as text, or null where it says that something is damaged. */
const served = async (
  client: Client,
  sessions: readonly string[],
): Promise<Map<string, string | null>> => {
  const answers = new Map<string, string | null>();
  const ask = async (what: string, work: () => Promise<unknown>) => {
    const text = await work().then(JSON.stringify, refusal);
    answers.set(what, /"damaged_from":\d|is damaged/.test(text) ? null : text);
  };
  await ask("the list", () => client.listSessions());
  for (const id of sessions) {
    await ask(`session ${id}`, () => client.showSession(id));
    await ask(`messages of ${id}`, () => client.listMessages(id));
    await ask(`events of ${id}`, () => eventsOf(client, id));
    await ask(`checkpoints of ${id}`, () => client.listCheckpoints(id));
  }
  return answers;
};

const eventsOf = async (client: Client, id: string): Promise<Event[]> => {
  const events: Event[] = [];
  for (;;) {
    const page = await client.listEvents(id, { after: events.length });
    events.push(...page.events);
    if (page.next === null) return events;
  }
};

const refusal = (error: unknown): string => {
  if (error instanceof RepriseError && error.code.endsWith("_damaged"))
    return "is damaged";
  throw error;
};

const toldAtStart = async ({ client }: Server): Promise<number> =>
  (await client.showDamage()).database.length;
