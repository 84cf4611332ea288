/**
 * Durable appends through the store against plain SQLite on the same disk: the same events, WAL, `synchronous=FULL`.
 * The store also writes what an append carries besides its events (view, executor) and checks term and sequence.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionId } from "../src/contract/id.ts";
import type { Append, Store } from "../src/runtime/ports.ts";
import {
  append,
  executorRow,
  sessionId,
} from "../src/store/conformance/sample.ts";
import { openSqliteStore } from "../src/store/sqlite/store.ts";
import { figure, quantile, type Bench } from "./figure.ts";
import { openRawJournal, type RawJournal } from "./raw-journal.ts";

const ROUNDS = 5;
const SESSIONS = 64;
const EVENTS_PER_ROUND = 12_800;
const COMMITS_PER_ROUND = 600;
/**
 * A busy agent's words reach the engine as reports of several items, and one append carries them all. The row with one
 * event per append is the worst case: each event then pays for a view and an executor row of its own.
 */
const EVENTS_PER_REPORT = 8;

export const journal: Bench = {
  name: "journal",
  async measure() {
    const directory = mkdtempSync(join(tmpdir(), "reprise-bench-"));
    const raw = openRawJournal(join(directory, "raw.db"));
    const store = await openSqliteStore({ path: join(directory, "ours.db") });
    const writer = new Writer(store, await store.claim());
    try {
      return await compare(raw, writer);
    } finally {
      raw.close();
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

/** Ours and the peer take turns, so that a noisy machine is noisy for both. */
const compare = async (raw: RawJournal, writer: Writer) => {
  const batched: number[] = [];
  const single: number[] = [];
  const reports: number[] = [];
  const commits: number[] = [];
  const acknowledged: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    batched.push(raw.batchedRate(EVENTS_PER_ROUND, 100));
    reports.push(await writer.rate(EVENTS_PER_REPORT));
    single.push(await writer.rate(1));
    commits.push(quantile(raw.commitTimes(COMMITS_PER_ROUND), 0.99));
    acknowledged.push(quantile(await writer.appendTimes(), 0.99));
  }
  const unit = "events/s";
  return [
    figure(
      {
        what: `${SESSIONS} sessions, ${EVENTS_PER_REPORT} events per append; peer: SQLite in batches of 100`,
        unit,
        ours: reports,
        peer: batched,
      },
      { least: 0.5 },
    ),
    figure(
      {
        what: `${SESSIONS} sessions, 1 event per append; peer: SQLite in batches of 100`,
        unit,
        ours: single,
        peer: batched,
      },
      null,
    ),
    figure(
      {
        what: "append acknowledged, p99; peer: one commit of one event, p99",
        unit: "ms",
        ours: acknowledged,
        peer: commits,
      },
      { most: 3 },
    ),
  ];
};

/** Appends as the engine does: each session one at a time, all sessions at once. */
class Writer {
  readonly #store: Store;
  readonly #term: number;
  readonly #last = new Map<SessionId, number>();

  constructor(store: Store, term: number) {
    this.#store = store;
    this.#term = term;
  }

  async rate(eventsPerAppend: number): Promise<number> {
    const appends = EVENTS_PER_ROUND / SESSIONS / eventsPerAppend;
    const work = Array.from({ length: SESSIONS }, (_, n) =>
      Array.from({ length: appends }, () => this.#change(n, eventsPerAppend)),
    );
    const start = performance.now();
    await Promise.all(
      work.map(async (changes) => {
        for (const change of changes) await this.#store.append(change);
      }),
    );
    return EVENTS_PER_ROUND / ((performance.now() - start) / 1000);
  }

  async appendTimes(): Promise<number[]> {
    const times: number[] = [];
    for (let i = 0; i < COMMITS_PER_ROUND; i += 1) {
      const change = this.#change(0, 1);
      const start = performance.now();
      await this.#store.append(change);
      times.push(performance.now() - start);
    }
    return times;
  }

  #change(session: number, events: number): Append {
    const id = sessionId(session);
    const after = this.#last.get(id) ?? 0;
    this.#last.set(id, after + events);
    const executor = executorRow(id);
    return append(this.#term, id, after, events, { executor });
  }
}
