import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "../../contract/event.ts";
import type { SessionId } from "../../contract/id.ts";
import type { OpenStore } from "./rule.ts";
import { refused } from "./rule.ts";
import {
  append,
  at,
  captured,
  said,
  sessionId,
  sessionView,
} from "./sample.ts";

/** What the journal tells of checkpoints, and what is left of a session that is gone for good. */
export const checkpointRules = (open: OpenStore): void => {
  const [one, two] = [sessionId(1), sessionId(2)];

  void test("[CPT-1] what was told of checkpoints is found without the rest of the journal", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    const events = [said(one, 1), captured(one, 2), said(one, 3)];
    await store.append(append(term, one, 0, 0, { events }));
    const others = [captured(two, 1), captured(two, 2)];
    await store.append(append(term, two, 0, 0, { events: others }));
    assert.deepEqual(await store.checkpoints(one), [captured(one, 2)]);
    assert.deepEqual(await store.allCheckpoints(), {
      told: [captured(one, 2), ...others],
      incomplete: [],
    });
    assert.deepEqual(await store.checkpoints(sessionId(3)), []);
  });

  void test("[CPT-14] sessions in the trash are listed by themselves", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    await store.append(append(term, one, 0));
    const view = sessionView(two, { deleted_at: at(1) });
    await store.append(append(term, two, 0, 1, { view }));
    const listed = async (deleted: boolean) =>
      (await store.sessions({ limit: 10, deleted })).sessions.map(
        ({ id }) => id,
      );
    assert.deepEqual(await listed(false), [one]);
    assert.deepEqual(await listed(true), [two]);
  });

  void test("[CPT-14] a purged session leaves nothing, and others keep what they shared with it", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    const long = (session_id: SessionId): Event => ({
      type: "session.notice",
      seq: 1,
      at: at(1),
      session_id,
      task_id: null,
      data: { level: "info", code: "long", text: "x".repeat(200_000) },
    });
    for (const session of [one, two])
      await store.append(
        append(term, session, 0, 0, {
          events: [long(session), captured(session, 2)],
          env: { A: "1" },
        }),
      );
    await store.purge(term, one);
    assert.equal(await store.session(one), null);
    assert.equal(await store.load(one, 1), null);
    assert.deepEqual(await store.events(one, 0, 10), []);
    assert.deepEqual(await store.checkpoints(one), []);
    assert.deepEqual(await store.env(one), {});
    assert.deepEqual(await store.events(two, 0, 1), [long(two)]);
    await store.purge(term, one);
  });

  void test("[P4] a server that was superseded purges nothing", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    await store.append(append(term, one, 0));
    await store.claim();
    await refused(store.purge(term, one), "superseded");
    assert.notEqual(await store.session(one), null);
  });
};
