/** The engine of journals, with something that is no session. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { LOCAL } from "../contract/base/place.ts";
import { RepriseError } from "../contract/problem/problem.ts";
import { TallyStore, tallyEngine, type Tallies } from "./fixtures/tally.ts";
import { follow } from "./follow.ts";
import { once } from "./receipts.ts";

const FAR = { kind: "remote", id: "far" };
const ID = "tly_1";
const add = (by: number) => ({ type: "add", by }) as const;
const superseded = { code: "superseded" };
const never = new AbortController().signal;

test("[REC-72] a command is decided, appended, and told after the commit; what is refused writes nothing", async () => {
  const store = new TallyStore();
  const { engine, commits } = tallyEngine(store);
  const told: number[] = [];
  commits.onAny(({ derived }) => {
    assert.equal(store.appends.at(-1)?.derived.total, derived.total);
    told.push(derived.total);
  });
  await engine.create({ id: ID }, { secrets: { note: "by hand" } });
  await engine.issue(ID, add(2));
  await engine.issue(ID, add(5));
  await engine.issue(ID, { type: "close" });
  await assert.rejects(engine.issue(ID, add(1)), { code: "wrong_state" });
  assert.deepEqual(told, [0, 2, 7, 7]);
  assert.deepEqual(
    store.appends.map(({ after, events, secrets }) => [
      after,
      events.map(({ type }) => type),
      secrets,
    ]),
    [
      [0, ["tally.begun"], { note: "by hand" }],
      [1, ["tally.added"], null],
      [2, ["tally.added"], null],
      [3, ["tally.closed"], null],
    ],
  );
  await assert.rejects(engine.state("tly_2"), { code: "not_found" });
});

test("[REC-72] the state is the fold of the journal, also from a snapshot", async () => {
  const store = new TallyStore();
  const { engine } = tallyEngine(store);
  await engine.create({ id: ID });
  for (let by = 1; by <= 11; by += 1) await engine.issue(ID, add(by));
  assert.equal((await store.load(ID, 1))?.snapshot?.seq, 10);
  const again = await tallyEngine(store).engine.state(ID);
  assert.equal(again.total, 66);
  assert.deepEqual(again, await engine.state(ID));
});

test("[REC-72] [P1] a key is answered once: by the draft in the transaction, then by the answer", async () => {
  const store = new TallyStore();
  const ask = (engine: ReturnType<typeof tallyEngine>, by: number) =>
    once<Tallies["state"], number, number>(
      { receipts: store, lanes: engine.lanes },
      {
        scope: ID,
        key: "k",
        request: { by },
        draft: { parse: Number },
        answer: { parse: Number },
        begin: async (keep) => {
          const kept = keep(({ total }) => total);
          return (await engine.engine.issue(ID, add(by), kept)).total;
        },
        finish: async (total) => total * 100,
      },
    );
  const first = tallyEngine(store);
  await first.engine.create({ id: ID });
  assert.equal(await ask(first, 3), 300);
  assert.equal(await ask(tallyEngine(store), 3), 300);
  await assert.rejects(ask(first, 4), { code: "idempotency_conflict" });
  assert.equal(store.appends.length, 2);
  assert.match(store.appends[1]?.receipt?.answer ?? "", /^draft /);
});

test("[REC-72] [P2] who follows gets what is stored and then what happens", async () => {
  const store = new TallyStore();
  const { engine, commits } = tallyEngine(store);
  await engine.create({ id: ID });
  const events = (...asked: Parameters<TallyStore["events"]>) =>
    store.events(...asked);
  const feed = follow<Tallies>(
    { commits, events, lengthOf: () => 1 },
    ID,
    0,
    never,
  );
  const next = async (): Promise<number[]> => {
    const seen: number[] = [];
    const { value } = await feed.next();
    for (const { seq } of value ?? []) seen.push(seq);
    return seen;
  };
  assert.deepEqual(await next(), [1]);
  const told = next();
  await engine.issue(ID, add(1));
  assert.deepEqual(await told, [2]);
  await feed.return(undefined);
  assert.deepEqual([...commits.ids()], []);
});

test("[REC-71] work in the lane ends in at most one command, and is done again with it when another writer was quicker", async () => {
  const store = new TallyStore();
  const { engine } = tallyEngine(store);
  await engine.create({ id: ID });
  const [begun] = await store.events(ID, 0, 1);
  const seen: number[] = [];
  const total = await engine.exclusively(ID, async ({ seq }) => {
    seen.push(seq);
    // Another server that holds the same term goes on meanwhile.
    if (seen.length === 1) {
      const { place } = store.appends[0] ?? assert.fail();
      const event = { type: "tally.added", seq: 2, at: "", by: 10 } as const;
      const rest = { derived: { total: 10 }, snapshot: null, receipt: null };
      const change = { place, id: ID, after: 1, events: [event], ...rest };
      await store.append({ ...change, secrets: null });
    }
    return { command: add(1), answer: (after) => after.total };
  });
  assert.equal(begun?.type, "tally.begun");
  assert.deepEqual([total, seen], [11, [1, 2]]);
  const nothing = await engine.exclusively(ID, async ({ seq }) => ({
    command: null,
    answer: (after) => after.seq - seq,
  }));
  assert.deepEqual([nothing, store.appends.length], [0, 3]);
});

test("[REC-67] [REC-68] each is written by the term of its own place; what another server has is refused, read and not kept", async () => {
  const store = new TallyStore();
  const { engine, lost } = tallyEngine(store);
  await engine.create({ id: ID });
  await engine.create({ id: "tly_far", place: FAR });
  assert.deepEqual(
    store.appends.map(({ place }) => place),
    [
      { key: "standalone/local", term: 1 },
      { key: "remote/far", term: 1 },
    ],
  );
  store.takeOver(FAR);
  await assert.rejects(engine.issue("tly_far", add(1)), superseded);
  assert.deepEqual(lost, ["remote/far"]);
  await assert.rejects(engine.issue("tly_far", add(1)), superseded);
  assert.equal((await engine.issue(ID, add(1))).total, 1);
  assert.equal((await engine.state("tly_far")).total, 0);
  assert.deepEqual([...engine.held()], [ID]);
  await assert.rejects(
    engine.until("tly_far", ({ total }) => total > 0, never),
    superseded,
  );
});

test("[REC-86] whoever waits for what is removed is told so, and nothing of it is kept", async () => {
  const store = new TallyStore();
  const { engine, commits } = tallyEngine(store);
  await engine.create({ id: ID });
  const waiting = engine.until(ID, ({ total }) => total > 0, never);
  const events = (...asked: Parameters<TallyStore["events"]>) =>
    store.events(...asked);
  const source = { commits, events, lengthOf: () => 1 };
  const next = follow<Tallies>(source, ID, 1, never).next();
  const told = Promise.all([
    assert.rejects(waiting, { code: "not_found" }),
    assert.rejects(next, { code: "not_found" }),
  ]);
  await engine.state(ID);
  const mayGo = async () => true;
  assert.ok(await engine.purge(ID, mayGo, async () => undefined));
  await told;
  assert.deepEqual([...engine.held()], []);
});

test("[REC-68] whoever waits for what is let go is told why, and nothing of it is kept", async () => {
  const store = new TallyStore();
  const { engine, commits } = tallyEngine(store);
  for (const id of [ID, "tly_2"]) await engine.create({ id, place: LOCAL });
  const waiting = engine.until(ID, ({ total }) => total > 0, never);
  const events = (...asked: Parameters<TallyStore["events"]>) =>
    store.events(...asked);
  const source = { commits, events, lengthOf: () => 1 };
  const feed = follow<Tallies>(source, ID, 1, never);
  const next = feed.next();
  const told = Promise.all([
    assert.rejects(waiting, superseded),
    assert.rejects(next, superseded),
  ]);
  await engine.state(ID);
  await engine.letGo(new Set([ID]), new RepriseError("superseded", "Gone."));
  await told;
  assert.deepEqual([...engine.held()], ["tly_2"]);
});
