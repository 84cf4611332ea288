import assert from "node:assert/strict";
import { test } from "node:test";
import type { OpenStore } from "./rule.ts";
import { refused } from "./rule.ts";
import { append, said, sessionId } from "./sample.ts";

export const journalRules = (open: OpenStore): void => {
  const one = sessionId(1);

  void test("[P2] events come back as they were given, in order", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    const change = append(term, one, 0, 3);
    await store.append(change);
    assert.deepEqual(await store.events(one, 0, 100), change.events);
  });

  void test("[P2] a reader gets what comes after its cursor, up to its limit", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    await store.append(append(term, one, 0, 10));
    const seqs = async (after: number, limit: number) =>
      (await store.events(one, after, limit)).map(({ seq }) => seq);
    assert.deepEqual(await seqs(7, 100), [8, 9, 10]);
    assert.deepEqual(await seqs(2, 3), [3, 4, 5]);
    assert.deepEqual(await seqs(10, 100), []);
    assert.deepEqual(await seqs(0, 0), []);
    assert.deepEqual(await store.events(sessionId(2), 0, 10), []);
  });

  void test("[P2] [REC-57] a gap and a repetition are refused and change nothing", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    await store.append(append(term, one, 0, 2));
    await refused(store.append(append(term, one, 3)), "moved_on");
    await refused(store.append(append(term, one, 1)), "moved_on");
    await refused(store.append(append(term, one, 0, 2)), "moved_on");
    assert.equal((await store.events(one, 0, 10)).length, 2);
    await store.append(append(term, one, 2));
    assert.equal((await store.events(one, 0, 10)).length, 3);
  });

  void test("[P2] events with wrong numbers of their own are refused", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    const holey = [said(one, 1), said(one, 3)];
    const foreign = [said(sessionId(2), 1)];
    for (const events of [holey, foreign])
      await refused(
        store.append(append(term, one, 0, 0, { events })),
        "internal",
      );
    assert.equal(await store.session(one), null);
  });

  void test("[P2] an append without events changes the rest and keeps the number", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    await store.append(append(term, one, 0, 2));
    await store.append(append(term, one, 2, 0, { env: { A: "1" } }));
    assert.deepEqual(await store.env(one), { A: "1" });
    await store.append(append(term, one, 2));
    assert.equal((await store.events(one, 0, 10)).length, 3);
  });

  void test("[P2] concurrent appends of many sessions each keep their own sequence", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    const sessions = Array.from({ length: 40 }, (_, n) => sessionId(n));
    await Promise.all(
      sessions.map(async (id) => {
        for (let after = 0; after < 12; after += 2)
          await store.append(append(term, id, after, 2));
      }),
    );
    for (const id of sessions) {
      const events = await store.events(id, 0, 100);
      assert.deepEqual(events, append(term, id, 0, 12).events, `session ${id}`);
    }
  });

  void test("[P2] of appends that race for one place, one wins", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => store.append(append(term, one, 0))),
    );
    const won = results.filter(({ status }) => status === "fulfilled");
    assert.equal(won.length, 1);
    assert.equal((await store.events(one, 0, 100)).length, 1);
  });

  void test("[P2] a long session is read whole, with small and with large events", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    await store.append(append(term, one, 0, 9000));
    const large = "abc".repeat(800_000);
    const events = [9001, 9002, 9003, 9004].map((seq) =>
      said(one, seq, `${large}${seq}`),
    );
    await store.append(append(term, one, 9000, 0, { events }));
    const all = await store.events(one, 0, 1_000_000);
    assert.deepEqual(
      all.map(({ seq }) => seq),
      Array.from({ length: 9004 }, (_, i) => i + 1),
    );
    assert.deepEqual(all.slice(9000), events);
    assert.equal((await store.events(one, 0, 5000)).length, 5000);
  });

  void test("large payloads, repeated ones too, come back as they were given", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    const sizes = [64 * 1024 - 300, 64 * 1024, 64 * 1024 + 1, 5 * 1024 * 1024];
    const events = sizes
      .flatMap((size) => ["x".repeat(size), "ü".repeat(size / 2)])
      .map((text, i) => said(one, i + 1, text));
    await store.append(append(term, one, 0, 0, { events }));
    const again = events.map((event) => ({
      ...event,
      seq: event.seq + events.length,
    }));
    await store.append(append(term, one, events.length, 0, { events: again }));
    assert.deepEqual(await store.events(one, 0, 100), [...events, ...again]);
  });

  void test("text of any alphabet comes back as it was given", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    const texts = [
      "",
      "äöü",
      "日本語",
      "👩‍👩‍👧",
      "\u0000\u0001\n\r\t\"'\\",
      "\ud83d",
      "‮x",
    ];
    const events = texts.map((text, i) => said(one, i + 1, text));
    await store.append(append(term, one, 0, 0, { events }));
    assert.deepEqual(await store.events(one, 0, 100), events);
  });

  void test("what is given and what is got are nobody else's", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    const change = append(term, one, 0);
    await store.append(change);
    change.view.cwd = "/elsewhere";
    const got = await store.session(one);
    assert.equal(got?.cwd, "/work");
    if (got) got.cwd = "/changed";
    assert.equal((await store.session(one))?.cwd, "/work");
  });
};
