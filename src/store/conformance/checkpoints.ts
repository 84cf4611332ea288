import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event, EventOf } from "../../contract/event.ts";
import type { SessionId } from "../../contract/id.ts";
import { LOCAL } from "../../contract/place.ts";
import { neededBy } from "../stored.ts";
import type { OpenStore } from "./rule.ts";
import { allNeeded, refused } from "./rule.ts";
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
    assert.deepEqual(await store.checkpoints(sessionId(3)), []);
  });

  void test("[STO-46] what checkpoints need is told session by session, however many there are", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    assert.deepEqual(await allNeeded(store), []);
    const all = Array.from({ length: 250 }, (_, n) => sessionId(n + 1));
    await Promise.all(
      all.map((id, n) => {
        const events = n % 2 === 0 ? [said(id, 1), captured(id, 2)] : [];
        return store.append(
          append(term, id, 0, 0, {
            events: [...events, said(id, events.length + 1)],
          }),
        );
      }),
    );
    await store.append(
      append(term, one, 3, 0, { events: [captured(one, 4), failed(one, 5)] }),
    );
    const needed = await allNeeded(store);
    assert.deepEqual(
      needed.map(({ session_id }) => session_id),
      all.filter((_, n) => n % 2 === 0),
    );
    assert.deepEqual(needed[0], {
      session_id: one,
      place: LOCAL,
      checkpoints: [captured(one, 2), captured(one, 4), failed(one, 5)].map(
        (event) => neededBy(event, LOCAL),
      ),
      isIncomplete: false,
    });
    await store.purge(term, one);
    const [first] = await allNeeded(store);
    assert.equal(first?.session_id, sessionId(3));
  });

  void test("[STO-55] what a checkpoint needs is told with the place that holds it", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    const far = { kind: "remote", id: "far" };
    for (const [id, place] of [
      [one, LOCAL],
      [two, far],
    ] as const) {
      const view = sessionView(id, { place });
      const events = [captured(id, 1)];
      await store.append(append(term, id, 0, 0, { events, view }));
    }
    const needed = await allNeeded(store);
    assert.deepEqual(
      needed.map(({ place, checkpoints }) => [
        place,
        checkpoints.map((each) => each.place),
      ]),
      [
        [LOCAL, [LOCAL]],
        [far, [far]],
      ],
    );
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

/** Nothing came of a capture. */
const failed = (
  session_id: SessionId,
  seq: number,
): EventOf<"session.checkpoint.failed"> => {
  const { data, ...event } = captured(session_id, seq);
  return {
    ...event,
    type: "session.checkpoint.failed",
    data: {
      checkpoint: { ...data.checkpoint, outcome: "failed", tree: null },
    },
  };
};
