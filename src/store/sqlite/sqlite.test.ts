import assert from "node:assert/strict";
import { test } from "node:test";
import { storeConformance } from "../conformance.ts";
import { append, sessionId } from "../conformance/sample.ts";
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

void test("a commit does not wait for a long read", async (t) => {
  const store = await openAt(databasePath(t));
  const term = await store.claim();
  await store.append(append(term, sessionId(1), 0, 30_000));
  let read = false;
  const reading = store.events(sessionId(1), 0, 30_000).then((events) => {
    read = true;
    return events;
  });
  await store.append(append(term, sessionId(2), 0));
  assert.equal(read, false);
  assert.equal((await reading).length, 30_000);
});
