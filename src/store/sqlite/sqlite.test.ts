import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { test } from "node:test";
import { storeConformance } from "../fixtures/conformance.ts";
import { append, said, sessionId } from "../fixtures/conformance/sample.ts";
import { databasePath, openAt } from "./fixtures/place.ts";

storeConformance("sqlite", (t) => openAt(databasePath(t)));

void test("what was stored is there when the database is opened again", async (t) => {
  const path = databasePath(t);
  const store = await openAt(path);
  const term = await store.claim();
  const change = append(term, sessionId(1), 0, 5, { env: { A: "1" } });
  await store.append(change);
  await store.close();

  const again = await openAt(path);
  assert.deepEqual(await again.events(sessionId(1), 0, 10), change.events);
  assert.deepEqual(await again.session(sessionId(1)), change.view);
  assert.deepEqual(await again.env(sessionId(1)), { A: "1" });
  assert.ok((await again.claim()) > term);
});

void test("[P4] two stores on one file: the older one is refused as soon as the other has claimed", async (t) => {
  const path = databasePath(t);
  const first = await openAt(path);
  const old = await first.claim();
  await first.append(append(old, sessionId(1), 0));
  const second = await openAt(path);
  const term = await second.claim();
  await assert.rejects(first.append(append(old, sessionId(1), 1)), {
    code: "superseded",
  });
  await second.append(append(term, sessionId(1), 1));
  assert.equal((await first.events(sessionId(1), 0, 10)).length, 2);
});

void test("[P2] a long read while the journal grows has no gap, and appends go on meanwhile", async (t) => {
  const store = await openAt(databasePath(t));
  const term = await store.claim();
  const id = sessionId(1);
  await store.append(append(term, id, 0, 20_000));
  const reading = store.events(id, 0, 1_000_000);
  for (let after = 20_000; after < 20_050; after += 1)
    await store.append(append(term, id, after));
  const events = await reading;
  assert.ok(events.length >= 20_000);
  assert.ok(events.every(({ seq }, index) => seq === index + 1));
  assert.equal((await store.events(id, 20_000, 100)).length, 50);
});

void test("the log is folded into the database and does not grow without end", async (t) => {
  const path = databasePath(t);
  const store = await openAt(path);
  const term = await store.claim();
  const id = sessionId(1);
  const words = "x".repeat(60_000);
  // 25 appends of 1.8 MB each.
  for (let after = 0; after < 25 * 30; after += 30) {
    const events = Array.from({ length: 30 }, (_, i) =>
      said(id, after + 1 + i, words),
    );
    await store.append(append(term, id, after, 0, { events }));
  }
  assert.ok(statSync(`${path}-wal`).size < 24 * 2 ** 20);
  // They are large, so they come in more than one page.
  let last = 0;
  for (;;) {
    const page = await store.events(id, last, 10_000);
    if (page.length === 0) break;
    assert.equal(page[0]?.seq, last + 1);
    assert.ok(page.length < 25 * 30);
    last += page.length;
  }
  assert.equal(last, 25 * 30);
});
