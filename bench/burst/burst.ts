/**
 * One session pours out tool calls in a single turn, as fast as its agent can write. Others must not notice: neither those
 * who follow another session nor those who ask the API. And a call late in the turn must cost what an early one does.
 */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { TestHouse, type Server } from "../../test/e2e/house.ts";
import { engineOn } from "../busy-session.ts";
import { lengths, now, type Span } from "../clock.ts";
import { figure, limit, quantile, type Bench, type Row } from "../figure.ts";
import { Pulse, spared } from "../pulse/pulse.ts";
import { MAX_MS } from "../stream/bars.ts";
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
/** For so long the others speak before the burst. */
const ALONE_MS = 5000;
const MAX_MS_P99 = { most: MAX_MS.p99 };
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
  const start = now();
  await delay(ALONE_MS);
  const from = now();
  await client.queuePrompt(id, { text: `calls ${CALLS}` });
  await untilEnded(server, id);
  const to = now();
  leave();
  const [asked, listed] = [await health.stop(), await list.stop()];
  const ways = await choir.ways(start, to);
  const absences = await pulse.absences();
  const seconds = ((to - from) / 1000).toFixed(1);
  const what = `${CALLS.toLocaleString("en")} tool calls in one turn (${seconds} s)`;
  const rows = (each: string, all: readonly Span[]) =>
    rowsOf(`${what}: ${each}`, spared(all, absences), from, to);
  return [
    ...rows("others' chunks, written → read", ways),
    ...rows("GET /api/sessions", listed),
    ...rows("GET /health", asked),
  ];
};

/** Asked now and then: to read along would make this process, which measures, the slow one. */
const untilEnded = async ({ client }: Server, id: string): Promise<void> => {
  while ((await client.showSession(id)).turn_count === 0) await delay(100);
};

/** Of what was under way while the machine was there: during the burst, and beside what it took before. */
const rowsOf = (
  what: string,
  all: readonly Span[],
  from: number,
  to: number,
): Row[] => {
  const during = lengths(
    all.filter((span) => span.from >= from && span.from <= to),
  );
  const before = lengths(all.filter((span) => span.to < from));
  const unit = "ms";
  const p99 = (of: readonly number[]) => [quantile(of, 0.99)];
  return [
    limit({ what: `${what}, p99`, unit, ours: p99(during) }, MAX_MS_P99),
    figure(
      {
        what: `${what}, p99; peer: before the burst`,
        unit,
        ours: p99(during),
        peer: p99(before),
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
