/**
 * One session pours out tool calls in a single turn, as fast as its agent can write. Others must not notice: neither those
 * who follow another session nor those who ask the API. And a call late in the turn must cost what an early one does.
 */
import { join } from "node:path";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { TestHouse, type Server } from "../../test/e2e/house.ts";
import { engineOn } from "../busy-session.ts";
import { lengths, now, type Span } from "../clock.ts";
import {
  figure,
  limit,
  percent,
  quantile,
  type Bench,
  type Row,
} from "../figure.ts";
import { Pulse, spared } from "../pulse/pulse.ts";
import { MOST_MS } from "../stream/bars.ts";
import { Choir } from "../stream/choir.ts";
import {
  AGENT,
  program,
  speakers,
  turnMs,
  voicesOf,
} from "../stream/speakers.ts";
import { subscribe } from "../stream/subscriber.ts";
import { callCosts } from "./call-cost.ts";
import { Caller } from "./caller.ts";

const CALLS = 10_000;
const SPEAKERS = 10;
const MANNER = { every_ms: 50, chunks: 100 };
const TURNS = 12;
const POURER = "much";
const pourer = join(import.meta.dirname, "../../test/agents/says-much.ts");

export const burst: Bench = {
  name: "burst",
  async measure() {
    return [...(await besideRows()), await costRow()];
  },
};

const besideRows = async (): Promise<Row[]> => {
  await using house = await TestHouse.make({
    agents: {
      [AGENT]: { command: [process.execPath, program] },
      [POURER]: { command: [process.execPath, pourer] },
    },
    start_seconds: 300,
  });
  const server = await house.up();
  const sessions = await speakers(server, house, SPEAKERS);
  const { client } = server;
  const cwd = house.workspace;
  const { id } = await client.createSession({ agent: POURER, cwd });
  await client.resumeSession(id);
  await using pulse = new Pulse();
  const choir = await Choir.start(
    await voicesOf(server, sessions, MANNER, TURNS),
    turnMs(MANNER),
  );
  const health = new Caller(() => client.health());
  const list = new Caller(() => client.listSessions());
  const { last_seq } = await client.showSession(id);
  const leave = await subscribe(server, id, last_seq, () => undefined);
  const from = now();
  await client.queuePrompt(id, { text: `calls ${CALLS}` });
  await untilEnded(server, id, last_seq);
  const to = now();
  leave();
  const calls = { health: await health.stop(), list: await list.stop() };
  const ways = await choir.ways(from, to);
  const absences = await pulse.absences();
  const seconds = ((to - from) / 1000).toFixed(1);
  const what = `${CALLS.toLocaleString("en")} tool calls in one turn (${seconds} s)`;
  return [
    ...rowsOf(`${what}: others' chunks, written → read`, ways, absences),
    ...rowsOf(`${what}: GET /api/sessions`, calls.list, absences),
    ...rowsOf(`${what}: GET /health`, calls.health, absences),
  ];
};

const untilEnded = async (
  { client }: Server,
  id: string,
  after: number,
): Promise<void> => {
  for await (const { type } of client.follow(id, { after }))
    if (type === "session.turn.ended") return;
};

const rowsOf = (
  what: string,
  all: readonly Span[],
  absences: readonly Span[],
): Row[] => {
  const there = spared(all, absences);
  const share = percent(there.length, all.length);
  const unit = "ms";
  const p99 = (of: readonly Span[]) => [quantile(lengths(of), 0.99)];
  return [
    limit(
      {
        what: `${what}, p99 while the machine was there (${share})`,
        unit,
        ours: p99(there),
      },
      { most: MOST_MS.p99 },
    ),
    figure(
      {
        what: `${what}, p99 of all; peer: the longest`,
        unit,
        ours: p99(all),
        peer: [Math.max(...lengths(all))],
      },
      null,
    ),
  ];
};

const costRow = async (): Promise<Row> => {
  await using house = await TestHouse.make();
  const path = join(house.directory, "costs.db");
  const store = await openSqliteStore({ path });
  try {
    const engine = engineOn(store, await store.claim());
    const { early, late } = await callCosts(engine, CALLS);
    return figure(
      {
        what: `one tool call after ${CALLS.toLocaleString("en")} others in its turn; peer: after 100`,
        unit: "µs",
        ours: late,
        peer: early,
      },
      { most: 1.5 },
    );
  } finally {
    await store.close();
  }
};
