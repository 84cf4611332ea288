import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionId } from "../../contract/id.ts";
import type { Attention, Store } from "../../runtime/ports/store.ts";
import type { OpenStore } from "./rule.ts";
import { refused } from "./rule.ts";
import { append, at, sessionId, placeTerm } from "./sample.ts";

/** Which sessions a server has to look after, and when. */
export const attentionRules = (open: OpenStore): void => {
  const [one, two] = [sessionId(1), sessionId(2)];
  const [three, four] = [sessionId(3), sessionId(4)];
  const rests: Attention = { live: false, due_at: null };
  const live: Attention = { live: true, due_at: null };
  const dueAt = (n: number): Attention => ({ live: false, due_at: at(n) });
  const put = (store: Store, term: number) => {
    const lengths = new Map<SessionId, number>();
    return async (id: SessionId, attention: Attention | null) => {
      const after = lengths.get(id) ?? 0;
      await store.append(append(term, id, after, 1, { attention }));
      lengths.set(id, after + 1);
    };
  };
  const due = async (store: Store, by: number) =>
    (await store.due(at(by), null, 10)).map(({ session_id }) => session_id);

  void test("[REC-55] [STO-44] sessions that are live are found page by page, and the others are not among them", async (t) => {
    const store = await open(t);
    const tell = put(store, await store.claim());
    assert.deepEqual(await store.live(null, 10), []);
    await tell(four, live);
    await tell(three, { live: true, due_at: at(1) });
    await tell(two, rests);
    await tell(one, live);
    assert.deepEqual(await store.live(null, 2), [one, three]);
    assert.deepEqual(await store.live(three, 2), [four]);
    assert.deepEqual(await store.live(four, 2), []);
    // What did not change stays.
    await tell(one, null);
    await tell(three, dueAt(1));
    await tell(two, live);
    await tell(four, rests);
    assert.deepEqual(await store.live(null, 10), [one, two]);
  });

  void test("[REC-56] [STO-44] sessions are due when their time has come, the longest due first", async (t) => {
    const store = await open(t);
    const tell = put(store, await store.claim());
    await tell(one, dueAt(3));
    await tell(two, dueAt(2));
    await tell(three, { live: true, due_at: at(2) });
    await tell(four, live);
    assert.deepEqual(await due(store, 1), []);
    assert.deepEqual(await due(store, 2), [two, three]);
    const page = await store.due(at(9), null, 2);
    assert.deepEqual(page, [
      { session_id: two, due_at: at(2) },
      { session_id: three, due_at: at(2) },
    ]);
    const [first, last] = page;
    assert.ok(first !== undefined && last !== undefined);
    assert.deepEqual(
      (await store.due(at(9), first, 9)).map(({ session_id }) => session_id),
      [three, one],
    );
    assert.deepEqual(await store.due(at(9), last, 9), [
      { session_id: one, due_at: at(3) },
    ]);
    await tell(two, dueAt(8));
    await tell(three, live);
    assert.deepEqual(await due(store, 9), [one, two]);
  });

  void test("[STO-44] what is kept of a session is corrected only where its journal has not grown", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    const tell = put(store, term);
    await tell(one, dueAt(1));
    await store.attend(placeTerm(term), one, 1, dueAt(5));
    assert.deepEqual(await due(store, 1), []);
    await store.attend(placeTerm(term), one, 0, dueAt(1));
    await store.attend(placeTerm(term), two, 0, dueAt(1));
    assert.deepEqual(await due(store, 9), [one]);
    assert.deepEqual(await due(store, 1), []);
    await store.attend(placeTerm(term), one, 1, rests);
    assert.deepEqual(await due(store, 9), []);
  });

  void test("[STO-44] nothing is left of a purged session, and a superseded server corrects nothing", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    const tell = put(store, term);
    for (const id of [one, two]) await tell(id, { live: true, due_at: at(1) });
    await store.purge(placeTerm(term), one);
    assert.deepEqual(await store.live(null, 9), [two]);
    assert.deepEqual(await due(store, 9), [two]);
    await store.claim();
    await refused(store.attend(placeTerm(term), two, 1, rests), "superseded");
    assert.deepEqual(await store.live(null, 9), [two]);
  });
};
