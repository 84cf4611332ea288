/**
 * Durable appends against plain SQLite on the same disk: the same number of events, WAL, `synchronous=FULL`. Ours also
 * decide, fold, check term and sequence, and write what an append carries besides its events (view, executor, prompts).
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { figure, quantile, type Bench, type Row } from "../figure.ts";
import { engineOn } from "../busy-session.ts";
import { openRawJournal, type RawJournal } from "./raw.ts";
import { recoveryRows } from "./recovery.ts";
import {
  appendTime,
  engineWriter,
  rate,
  storeWriter,
  type Writer,
} from "./writers.ts";

const ROUNDS = 5;
const SESSIONS = 64;
const EVENTS_PER_ROUND = 12_800;
const COMMITS_PER_ROUND = 600;
/**
 * A busy agent's words reach the engine as reports of several items, and one append carries them all. The rows with one
 * event per append are the worst case: each event then pays for a view and an executor row of its own.
 */
const EVENTS_PER_REPORT = 8;

export const journal: Bench = {
  name: "journal",
  async measure() {
    const directory = mkdtempSync(join(tmpdir(), "reprise-bench-"));
    const raw = openRawJournal(join(directory, "raw.db"));
    const store = await openSqliteStore({ path: join(directory, "ours.db") });
    const term = await store.claim();
    try {
      const engine = await engineWriter(engineOn(store, term), SESSIONS);
      const rows = await compare(raw, storeWriter(store, term), engine);
      return [...rows, ...(await recoveryRows(store, term))];
    } finally {
      raw.close();
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

/** Ours and the peer take turns, so that a noisy machine is noisy for both. */
const compare = async (
  raw: RawJournal,
  store: Writer,
  engine: Writer,
): Promise<Row[]> => {
  const rates = {
    raw: empty(),
    engine: empty(),
    engineSingly: empty(),
    store: empty(),
    storeSingly: empty(),
  };
  const p99 = { raw: empty(), engine: empty(), store: empty() };
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.raw.push(raw.batchedRate(EVENTS_PER_ROUND, 100));
    rates.engine.push(await rate(engine, load(EVENTS_PER_REPORT)));
    rates.engineSingly.push(await rate(engine, load(1)));
    rates.store.push(await rate(store, load(EVENTS_PER_REPORT)));
    rates.storeSingly.push(await rate(store, load(1)));
    const times = await commitTimes(raw, engine, store);
    p99.raw.push(quantile(times.raw, 0.99));
    p99.engine.push(quantile(times.engine, 0.99));
    p99.store.push(quantile(times.store, 0.99));
  }
  const throughput = (through: string, events: number, ours: number[]) => ({
    what: `${SESSIONS} sessions through the ${through}, ${events} per append; peer: SQLite in batches of 100`,
    unit: "events/s",
    ours,
    peer: rates.raw,
  });
  const latency = (through: string, ours: number[]) => ({
    what: `append through the ${through} acknowledged, p99; peer: one commit of one event, p99`,
    unit: "ms",
    ours,
    peer: p99.raw,
  });
  return [
    figure(throughput("engine", EVENTS_PER_REPORT, rates.engine), {
      least: 0.5,
    }),
    figure(throughput("engine", 1, rates.engineSingly), null),
    figure(throughput("store", EVENTS_PER_REPORT, rates.store), null),
    figure(throughput("store", 1, rates.storeSingly), null),
    figure(latency("engine", p99.engine), { most: 3 }),
    figure(latency("store", p99.store), null),
  ];
};

/** One of each, again and again: a pause of the machine hits whoever is at it, so they must be at it equally often. */
const commitTimes = async (raw: RawJournal, engine: Writer, store: Writer) => {
  const times = { raw: empty(), engine: empty(), store: empty() };
  for (let commit = 0; commit < COMMITS_PER_ROUND; commit += 1) {
    times.raw.push(raw.commitTime());
    times.engine.push(await appendTime(engine));
    times.store.push(await appendTime(store));
  }
  return times;
};

const empty = (): number[] => [];
const load = (eventsPerAppend: number) => ({
  sessions: SESSIONS,
  events: EVENTS_PER_ROUND,
  eventsPerAppend,
});
