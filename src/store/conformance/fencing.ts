import assert from "node:assert/strict";
import { test } from "node:test";
import type { OpenStore } from "./rule.ts";
import { refused } from "./rule.ts";
import { append, receiptOf, sessionId, taskId, taskRecord } from "./sample.ts";

export const fencingRules = (open: OpenStore): void => {
  const one = sessionId(1);

  void test("[P4] every claim gives a higher term", async (t) => {
    const store = await open(t);
    const terms = [await store.claim(), await store.claim()];
    terms.push(...(await Promise.all([store.claim(), store.claim()])));
    terms.push(await store.claim(1000), await store.claim(7));
    assert.ok(terms.slice(-2).every((term) => term > 1000));
    assert.deepEqual(
      terms.toSorted((a, b) => a - b),
      [...new Set(terms)],
    );
    assert.ok((terms[0] ?? 0) > 0);
  });

  void test("[P4] a writer whose term is not the newest is refused", async (t) => {
    const store = await open(t);
    const old = await store.claim();
    await store.append(append(old, one, 0));
    const term = await store.claim();
    await refused(store.append(append(old, one, 1)), "superseded");
    await refused(store.append(append(term + 1, one, 1)), "superseded");
    await refused(store.createTask(old, taskRecord(1), null), "superseded");
    await store.append(append(term, one, 1));
    assert.equal((await store.events(one, 0, 10)).length, 2);
    assert.equal(await store.task(taskId(1)), null);
  });

  void test("[STO-48] a change is refused by the term of its session's place, whichever place that is", async (t) => {
    const store = await open(t);
    const old = await store.claim();
    const at = (key: string, term: number) => ({ place: { key, term } });
    const [near, far] = ["standalone/local", "remote/far"];
    await store.append(append(old, one, 0, 1, at(near, old)));
    await store.append(append(old, sessionId(2), 0, 1, at(far, old)));
    const term = await store.claim();
    await refused(
      store.append(append(old, one, 1, 1, at(near, old))),
      "superseded",
    );
    await refused(
      store.append(append(old, sessionId(2), 1, 1, at(far, old))),
      "superseded",
    );
    assert.equal((await store.events(sessionId(2), 0, 10)).length, 1);
    await store.append(append(term, sessionId(2), 1, 1, at(far, term)));
  });

  void test("[STO-49] the newest term is told to anyone", async (t) => {
    const store = await open(t);
    assert.equal(await store.term(), 0);
    await store.claim();
    const term = await store.claim(41);
    assert.deepEqual([term, await store.term()], [42, 42]);
  });

  void test("[P4] nothing can be written before the first claim", async (t) => {
    const store = await open(t);
    await refused(store.append(append(1, one, 0)), "superseded");
  });

  void test("a refused append leaves the others that came with it alone", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) =>
        store.append(append(n % 3 === 0 ? term - 1 : term, sessionId(n), 0)),
      ),
    );
    for (const [n, { status }] of results.entries()) {
      assert.equal(status, n % 3 === 0 ? "rejected" : "fulfilled");
      const view = await store.session(sessionId(n));
      assert.equal(view !== null, n % 3 !== 0);
    }
  });

  void test("an append that cannot be written leaves no trace and the others alone", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    const { id } = { id: taskRecord(1).id };
    await store.createTask(term, taskRecord(1), null);
    const [twice, other] = await Promise.allSettled([
      store.createTask(term, taskRecord(1), receiptOf("k")),
      store.append(append(term, one, 0)),
    ]);
    assert.equal(twice.status, "rejected");
    assert.equal(other.status, "fulfilled");
    assert.equal(await store.receipt("sessions", "k"), null);
    assert.equal((await store.task(id))?.title, "Task 1");
  });

  void test("[P1] a key is taken once, whoever comes second is told", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    const receipt = receiptOf("key-1");
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) =>
        store.append(append(term, sessionId(n), 0, 1, { receipt })),
      ),
    );
    assert.equal(results.filter((r) => r.status === "fulfilled").length, 1);
    const { sessions } = await store.sessions({ limit: 100 });
    assert.equal(sessions.length, 1);
    await refused(
      store.createTask(term, taskRecord(1), receipt),
      "idempotency_conflict",
    );
    assert.equal(await store.task(taskId(1)), null);
  });

  void test("a closed store refuses everything and closes twice", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    const pending = store.append(append(term, one, 0));
    const closing = store.close();
    await refused(store.claim(), "storage_unavailable");
    await refused(store.session(one), "storage_unavailable");
    await pending;
    await closing;
    await refused(store.append(append(term, one, 1)), "storage_unavailable");
    await refused(store.events(one, 0, 10), "storage_unavailable");
    await store.close();
  });
};
