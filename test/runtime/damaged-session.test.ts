/** A session whose journal is damaged, beside one that is sound: over a real database. */
import assert from "node:assert/strict";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { SessionId } from "../../src/contract/base/id.ts";
import { RepriseError } from "../../src/contract/problem/problem.ts";
import {
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fixtures/fake-place.ts";
import type { Store } from "../../src/runtime/ports/store.ts";
import { derivation } from "../../src/session/view/derive.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";
import { spoil } from "../../src/store/sqlite/fixtures/spoil.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import {
  house,
  type House,
  problems,
  request,
  root,
  turnEnded,
  until,
} from "./house.ts";
import { paged, windowed } from "./read-pages.ts";

const damaged = { code: "session_damaged" };

test("[REC-24] a damaged session is left alone when the server starts; its agent goes on, and so do the others", async (t) => {
  const place = new FakePlace();
  const { path, open } = await database(t);
  const first = await house(fakeExecutors(place), { store: await open() });
  const [bad, good] = [await talk(first, 3), await talk(first, 3)];
  await first.close();
  const [from] = await spoilTurn(path, bad, 2);
  // No snapshot: all of the journal has to be read.
  spoil(path, "DELETE FROM snapshots");

  const asked = place.asked.length;
  problems.length = 0;
  const runtime = await house(fakeExecutors(place), { store: await open() });
  const { running } = await runtime.recovery.startup("startup");
  assert.equal(running, 1, "the other one is attached");
  const told = problems.splice(0);
  assert.equal(told.length, 1, JSON.stringify(told));
  assert.match(JSON.stringify(told), new RegExp(bad));
  assert.ok([...place.agentsById.values()].every(({ alive }) => alive));
  const orders = place.asked.slice(asked).join(", ");
  assert.doesNotMatch(orders, /stop|start/);

  await say(runtime, good, "go on", 4);
  const shown = await runtime.operations.showSession(bad);
  assert.equal(shown.damaged_from, from);
  assert.equal(shown.status, "error");
  const { sessions } = await runtime.operations.listSessions({ limit: 10 });
  assert.deepEqual(
    new Map(sessions.map(({ id, damaged_from }) => [id, damaged_from])),
    new Map<SessionId, number | null>([
      [bad, from],
      [good, null],
    ]),
  );
  const status = await runtime.operations.sessionStatus(bad);
  assert.deepEqual(
    [status.is_agent_running, status.is_resumable],
    [true, false],
  );
  assert.deepEqual(
    status.troubles.map(({ code }) => code),
    ["session_damaged", "agent_unheard"],
  );
  assert.deepEqual(await runtime.operations.showDamage(), {
    database: [],
    sessions: [{ id: bad, name: null, damaged_from: from }],
  });
  await runtime.close();
});

test("[STO-3] [REC-25] [SES-45] [API-203] what is before the damage can be read, and what is asked of the session is refused", async (t) => {
  const { bad, from, runtime } = await withDamage(t);
  const { operations } = runtime;
  const events = await operations.listEvents(bad, 0, 1000);
  assert.deepEqual(
    events.map(({ seq }) => seq),
    Array.from({ length: from - 1 }, (_, i) => i + 1),
  );
  await assert.rejects(operations.listEvents(bad, from - 1, 1000), damaged);
  const { messages } = await operations.listMessages(bad, { limit: 100 });
  assert.equal(messages[0]?.text, "turn 1");
  const notice = messages.at(-1);
  assert.equal(notice?.role, "notice");
  assert.match(notice.text, new RegExp(`damaged from event ${from} on`));
  for (const limit of [1, 2, messages.length, messages.length + 1])
    for (const direction of ["before", "after"] as const)
      assert.deepEqual(
        await paged(operations, bad, direction, limit),
        messages,
        `${limit} at once, ${direction}`,
      );
  for (const limit of [1, 2, messages.length, messages.length + 1])
    assert.deepEqual(await windowed(operations, bad, limit, from), messages);
  const streamed: number[] = [];
  await assert.rejects(async () => {
    const follow = operations.follow(
      bad,
      0,
      AbortSignal.timeout(patience(5000)),
    );
    for await (const batch of follow)
      streamed.push(...batch.map(({ seq }) => seq));
  }, damaged);
  assert.equal(streamed.at(-1), from - 1);

  const refused: Record<string, () => Promise<unknown>> = {
    prompt: () => operations.queuePrompt(bad, { text: "more" }),
    resume: () => operations.resumeSession(bad),
    pause: () => operations.pauseSession(bad),
    end: () => operations.endSession(bad, { outcome: "completed" }),
    rewind: () => operations.rewindSession(bad, { turn: 1, dry_run: false }),
    recover: () => operations.recoverSession(bad),
  };
  for (const [name, ask] of Object.entries(refused))
    await assert.rejects(ask(), (error) => {
      assert.ok(error instanceof RepriseError, name);
      assert.deepEqual([error.code, error.damaged_from], [damaged.code, from]);
      return true;
    });
  // What status denies is refused with the same reason.
  const { resume_reason: reason } = await operations.sessionStatus(bad);
  assert.equal(reason, "damaged");
  await assert.rejects(operations.resumeSession(bad), { reason });
});

test("[REC-25] a damaged session is forked at a turn before the damage", async (t) => {
  const { bad, runtime } = await withDamage(t);
  const { operations } = runtime;
  await assert.rejects(operations.forkSession(bad, { turn: 3 }), {
    code: "checkpoint_not_found",
  });
  const fork = await operations.forkSession(bad, {});
  assert.deepEqual(fork.parent, { session_id: bad, turn: 1 });
  const { messages } = await operations.listMessages(fork.id, { limit: 100 });
  assert.deepEqual(
    messages.map(({ text }) => text),
    ["turn 1", "You said: turn 1"],
  );
  await say(runtime, fork.id, "go on", 2);
});

test("[REC-25] [P8] a damaged session goes into the trash, comes out of it, and is purged; its agent is stopped", async (t) => {
  let now = new Date("2026-01-01T00:00:00.000Z");
  const { bad, good, place, runtime, store } = await withDamage(t, {
    now: () => now,
    retention: { ttl_days: 1, retention_days: 1, trash_days: 7 },
  });
  const { operations } = runtime;
  now = new Date("2026-01-05T00:00:00.000Z");
  // Retention ends the one and leaves the other to a person.
  await operations.collectGarbage({ dry_run: false });
  assert.equal((await operations.showSession(good)).state, "COMPLETED");
  assert.equal((await operations.showSession(bad)).deleted_at, null);

  const stops = () => place.asked.filter((order) => order.startsWith("stop"));
  const before = stops().length;
  const deleted = await operations.deleteSession(bad);
  assert.equal(deleted.deleted_at, now.toISOString());
  assert.equal(stops().length, before + 1);
  const trash = async () =>
    (await operations.listSessions({ limit: 10, deleted: true })).sessions.map(
      ({ id }) => id,
    );
  assert.deepEqual(await trash(), [bad]);
  assert.equal((await operations.undeleteSession(bad)).deleted_at, null);
  assert.deepEqual(await trash(), []);
  await operations.deleteSession(bad);
  now = new Date("2026-01-20T00:00:00.000Z");
  const { purged } = await operations.collectGarbage({ dry_run: false });
  assert.deepEqual(purged, [bad]);
  assert.equal(await store.session(bad), null);
});

test("[API-188] [REC-25] a damaged session that is in the trash is removed for good when somebody asks", async (t) => {
  const { bad, good, runtime, store } = await withDamage(t);
  const { operations } = runtime;
  await assert.rejects(operations.purgeSession(bad), { code: "wrong_state" });
  await operations.deleteSession(bad);
  assert.deepEqual(await operations.purgeSession(bad), { session_id: bad });
  assert.equal(await store.session(bad), null);
  assert.notEqual(await store.session(good), null);
});

test("[P8] [REC-25] nothing is freed while nobody can tell which checkpoints a damaged session needs", async (t) => {
  const { bad, good, runtime, path } = await withDamage(t);
  const { operations } = runtime;
  const collect = (verify: boolean) =>
    operations.collectGarbage({ dry_run: true, verify });
  const sql =
    "UPDATE events SET body = replace(body, '\"tree\":', '\"treo\":') WHERE session_id = ? AND type = 'session.checkpoint.saved'";
  assert.ok(spoil(path, sql, bad) > 0);
  // What its checkpoints need is kept besides, and known.
  assert.equal((await collect(false)).damaged_sessions, undefined);
  spoil(path, "DELETE FROM checkpoints WHERE session_id = ?", bad);
  for (const verify of [false, true]) {
    const collected = await collect(verify);
    assert.deepEqual(collected.damaged_sessions, [bad]);
    assert.equal(collected.freed_bytes, 0);
    assert.equal(collected.verification !== undefined, verify);
  }
  const { sessions } = await operations.showDiskUse();
  assert.ok(sessions.some(({ id }) => id === good));
});

test("[REC-25] a journal that was only read wrongly is recovered", async (t) => {
  const { bad, runtime, path } = await withDamage(t);
  const { operations } = runtime;
  await assert.rejects(operations.queuePrompt(bad, { text: "x" }), damaged);
  unspoil(path, bad);
  await assert.rejects(operations.queuePrompt(bad, { text: "x" }), damaged);
  const recovered = await operations.recoverSession(bad);
  assert.equal(recovered.damaged_from, null);
  await say(runtime, bad, "go on", 4);
});

test("[REC-24] a session that is damaged while its agent speaks is left to it: nobody stops it, nobody tries for ever", async (t) => {
  const place = new FakePlace();
  const { path, open } = await database(t);
  const runtime = await house(fakeExecutors(place), { store: await open() });
  const bad = await talk(runtime, 1);
  const good = await talk(runtime, 1);
  spoil(
    path,
    "UPDATE events SET chain = 'AAAAAAAAAAA' WHERE session_id = ? AND seq = (SELECT max(seq) FROM events WHERE session_id = ?)",
    bad,
    bad,
  );
  problems.length = 0;
  const agent = [...place.agentsById.values()].find(
    ({ order }) => order.session_id === bad,
  );
  agent?.say("I work on.");
  agent?.say("And on.");
  await say(runtime, good, "hello", 2);
  assert.equal(agent?.alive, true);
  assert.equal((await runtime.operations.showSession(bad)).status, "error");
  await assert.rejects(
    runtime.operations.queuePrompt(bad, { text: "x" }),
    damaged,
  );
  // What was reported is told once for each report, and nothing is done again.
  assert.ok(problems.splice(0).length <= 3);
  // Others may still begin to work where it works.
  const { cwd } = await runtime.operations.showSession(bad);
  const { id } = await runtime.operations.createSession(request({ cwd }));
  assert.equal((await runtime.operations.showSession(id)).damaged_from, null);
  await runtime.close();
  problems.length = 0;
});

const database = async (t: TestContext) => {
  const path = join(await mkdtemp(join(root, "db-")), "reprise.db");
  const stores: Store[] = [];
  t.after(async () => {
    for (const store of stores) await store.close();
  });
  return {
    path,
    open: async (): Promise<Store> => {
      const store = await openSqliteStore({ path, derive: derivation });
      stores.push(store);
      return store;
    },
  };
};

/** A session of three turns whose second is damaged, and a sound one, as a server finds them that starts. */
const withDamage = async (
  t: TestContext,
  given: Parameters<typeof house>[1] = {},
) => {
  const place = new FakePlace();
  const { path, open } = await database(t);
  const before = await house(fakeExecutors(place), {
    ...given,
    store: await open(),
  });
  const [bad, good] = [await talk(before, 3), await talk(before, 3)];
  await before.close();
  const [from] = await spoilTurn(path, bad, 2);
  spoil(path, "DELETE FROM snapshots");
  const store = await open();
  const runtime = await house(fakeExecutors(place), { ...given, store });
  t.after(async () => {
    await runtime.close();
    problems.length = 0;
  });
  return { bad, good, from, place, runtime, store, path };
};

const talk = async (runtime: House, turns: number): Promise<SessionId> => {
  const { id } = await runtime.operations.createSession(request());
  for (let turn = 1; turn <= turns; turn += 1)
    await say(runtime, id, `turn ${turn}`, turn);
  return id;
};

/** Until its checkpoint is taken, too. */
const say = async (
  runtime: House,
  session: SessionId,
  text: string,
  turn: number,
): Promise<void> => {
  await runtime.operations.queuePrompt(session, { text });
  const seen = await until(runtime, session, turnEnded(turn));
  await until(
    runtime,
    session,
    (event) =>
      event.type === "session.checkpoint.saved" &&
      event.data.checkpoint.turn === turn,
    seen.at(-1)?.seq ?? 0,
  );
};

/** What the agent said in a turn is another. Returns the event. */
const spoilTurn = async (
  path: string,
  session: SessionId,
  turn: number,
): Promise<[seq: number]> => {
  const sql =
    "UPDATE events SET body = replace(body, 'You said', 'You sbid') WHERE session_id = ? AND body LIKE ?";
  const changed = spoil(path, sql, session, `%You said: turn ${turn}%`);
  assert.equal(changed, 1);
  const store = await openSqliteStore({ path });
  const events = await store.events(session, 0, 1000);
  await store.close();
  return [events.length + 1];
};

const unspoil = (path: string, session: SessionId): void => {
  const sql =
    "UPDATE events SET body = replace(body, 'You sbid', 'You said') WHERE session_id = ? AND body LIKE '%You sbid%'";
  assert.equal(spoil(path, sql, session), 1);
};
