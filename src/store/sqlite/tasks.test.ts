import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Store } from "../../runtime/ports/store.ts";
import { refused } from "../fixtures/conformance/rule.ts";
import {
  append,
  at,
  contextAdded,
  sessionId,
  sessionView,
  taskAppend,
  taskCreated,
  taskId,
  taskView,
} from "../fixtures/conformance/sample.ts";
import { databasePath, openAt } from "./fixtures/place.ts";
import { spoil } from "./fixtures/spoil.ts";
import { ALL_NEWS } from "./tables/task-news.ts";
import {
  DUE_TASKS,
  LIVE_TASKS,
  LIST_TASKS,
  TASK_BY_NAME,
  TASKS_BEGUN_SO,
} from "./tables/tasks.ts";

const [one, two] = [taskId(1), taskId(2)];
const EVENTS = 10;
const PAGE = 4096;
const MARK = "in pages of its own ";

/** A database with two tasks, closed and spoilt; then opened again. */
const spoilt = async (
  t: Parameters<typeof databasePath>[0],
  ...statements: readonly string[]
): Promise<{ store: Store; path: string; term: number }> => {
  const path = databasePath(t);
  const before = await openAt(path);
  const first = await before.claim();
  for (const task of [one, two])
    await before.appendTask(taskAppend(first, task, 0, EVENTS, more(task)));
  await before.close();
  for (const sql of statements) assert.ok(spoil(path, sql) > 0, sql);
  const store = await openAt(path);
  return { store, path, term: await store.claim() };
};

const more = (task: typeof one) => ({
  view: taskView(task, {
    name: `name of ${task}`,
    created_at: at(task === one ? 1 : 2),
    last_seq: EVENTS,
  }),
  is_live: true,
  due_at: at(5),
});

const whole = (task: typeof one) => [
  taskCreated(task, `name of ${task}`),
  ...Array.from({ length: EVENTS - 1 }, (_, n) => contextAdded(task, n + 2)),
];

const damages: Record<string, { sql: string[]; from: number }> = {
  "a character of an event is another": {
    sql: [
      `UPDATE task_events SET body = replace(body, 'words 5', 'words 4') WHERE task_id = '${one}' AND seq = 5`,
    ],
    from: 5,
  },
  "an event is missing in the middle": {
    sql: [`DELETE FROM task_events WHERE task_id = '${one}' AND seq = 4`],
    from: 4,
  },
  "the newest events are missing": {
    sql: [`DELETE FROM task_events WHERE task_id = '${one}' AND seq > 8`],
    from: 9,
  },
  "the first event is missing": {
    sql: [`DELETE FROM task_events WHERE task_id = '${one}' AND seq = 1`],
    from: 1,
  },
  "two events are swapped": {
    sql: [
      `UPDATE task_events SET seq = -seq WHERE task_id = '${one}' AND seq IN (6, 7)`,
      `UPDATE task_events SET seq = 13 + seq WHERE task_id = '${one}' AND seq < 0`,
    ],
    from: 6,
  },
  "an event is another task's": {
    sql: [
      `UPDATE task_events SET (body, chain) = (SELECT body, chain FROM task_events WHERE task_id = '${two}' AND seq = 3)
       WHERE task_id = '${one}' AND seq = 3`,
    ],
    from: 3,
  },
  "an event is a blob instead of a text": {
    sql: [
      `UPDATE task_events SET body = CAST(body AS BLOB) WHERE task_id = '${one}' AND seq = 2`,
    ],
    from: 2,
  },
};

for (const [name, { sql, from }] of Object.entries(damages))
  void test(`[STO-64] [STO-65] ${name}: what is before is served, nothing behind it, and nothing is added`, async (t) => {
    const { store, path, term } = await spoilt(t, ...sql);
    const damaged = isDamagedFrom(from);
    if (from > 1)
      assert.deepEqual(
        await store.taskEvents(one, 0, 100),
        whole(one).slice(0, from - 1),
      );
    await assert.rejects(store.taskEvents(one, from - 1, 100), damaged);
    // A reader that comes with a cursor behind the damage is told where it begins, too.
    if (from < EVENTS - 1)
      await assert.rejects(store.taskEvents(one, EVENTS - 1, 100), damaged);
    await assert.rejects(store.loadTask(one), damaged);
    await refused(
      store.appendTask(taskAppend(term, one, EVENTS)),
      "task_damaged",
    );
    assert.equal((await store.task(one))?.damaged, true);
    // Nothing can be done for it.
    assert.deepEqual(await store.liveTasks(null, 9), [two]);
    assert.equal((await store.dueTasks(at(9), null, 9)).length, 1);

    assert.deepEqual(await store.taskEvents(two, 0, 100), whole(two));
    await store.appendTask(taskAppend(term, two, EVENTS));
    assert.equal((await store.task(two))?.damaged, undefined);

    // That is known from then on, before anybody reads it again.
    await store.close();
    const again = await openAt(path);
    const { tasks } = await again.tasks({ limit: 10 });
    assert.deepEqual(
      tasks.map(({ id, damaged }) => [id, damaged]),
      [
        [two, undefined],
        [one, true],
      ],
    );
    await refused(
      again.appendTask(taskAppend(await again.claim(), one, EVENTS)),
      "task_damaged",
    );
  });

void test("[STO-64] an append on an end that is missing is refused, also when nobody has read it", async (t) => {
  const { store, term } = await spoilt(
    t,
    `DELETE FROM task_events WHERE task_id = '${one}' AND seq > 7`,
  );
  await assert.rejects(
    store.appendTask(taskAppend(term, one, EVENTS)),
    isDamagedFrom(8),
  );
});

void test("[STO-65] what was damaged and is sound again goes on once it is loaded", async (t) => {
  const { store, path, term } = await spoilt(
    t,
    `UPDATE task_events SET body = replace(body, 'words 5', 'words 4') WHERE task_id = '${one}' AND seq = 5`,
  );
  await assert.rejects(store.taskEvents(one, 4, 1), isDamagedFrom(5));
  spoil(
    path,
    `UPDATE task_events SET body = replace(body, 'words 4', 'words 5') WHERE task_id = '${one}' AND seq = 5`,
  );
  await refused(
    store.appendTask(taskAppend(term, one, EVENTS)),
    "task_damaged",
  );
  assert.deepEqual(await store.loadTask(one), { last_seq: EVENTS });
  assert.equal((await store.task(one))?.damaged, undefined);
  await store.appendTask(taskAppend(term, one, EVENTS));
  assert.equal((await store.taskEvents(one, 0, 100)).length, EVENTS + 1);
});

const rowDamages = [
  "UPDATE tasks SET view = replace(view, 'TODO', 'DONE')",
  "UPDATE tasks SET view = 'none'",
  "UPDATE tasks SET view = '{}'",
  "UPDATE tasks SET view = x'00'",
  "UPDATE tasks SET head = 'AAAAAAAAAAA'",
  "UPDATE tasks SET last_seq = 3",
  "UPDATE tasks SET last_seq = 300",
  "UPDATE tasks SET is_live = 0",
  "UPDATE tasks SET due_at = NULL",
  "UPDATE tasks SET name = 'nome'",
  "UPDATE tasks SET created_at = '2026-01-01T00:00:09.000Z'",
  "UPDATE tasks SET damaged_from = 3",
  "UPDATE tasks SET checksum = 'AAAAAAAAAAA'",
];

for (const sql of rowDamages)
  void test(`[STO-66] a row that is damaged is shown with a mark, its journal is read, and an append mends it: ${sql}`, async (t) => {
    const { store, term } = await spoilt(t, `${sql} WHERE id = '${one}'`);
    const shown = await store.task(one);
    assert.deepEqual([shown?.id, shown?.damaged], [one, true]);
    assert.match(shown?.title ?? "", /^Task of /);
    const { tasks } = await store.tasks({ limit: 10 });
    const marks = new Map(tasks.map(({ id, damaged }) => [id, damaged]));
    assert.deepEqual(
      marks,
      new Map([
        [one, true],
        [two, undefined],
      ]),
    );
    assert.deepEqual(await store.loadTask(one), { last_seq: EVENTS });
    assert.deepEqual(await store.taskEvents(one, 0, 100), whole(one));
    await refused(store.appendTask(taskAppend(term, one, 3)), "moved_on");

    const mended = more(one);
    await store.appendTask(taskAppend(term, one, EVENTS, 1, mended));
    assert.deepEqual(await store.task(one), mended.view);
    assert.equal(await store.taskByName(`name of ${one}`), one);
    assert.deepEqual(await store.liveTasks(null, 9), [one, two]);
    assert.equal((await store.taskEvents(one, 0, 100)).length, EVENTS + 1);
  });

void test("[STO-66] [STO-65] nothing is added where the row and the journal are damaged", async (t) => {
  const body = `UPDATE task_events SET body = replace(body, 'words 5', 'words 4') WHERE task_id = '${one}' AND seq = 5`;
  for (const sql of ["last_seq = 3", "is_live = 0", "view = 'none'"]) {
    const row = `UPDATE tasks SET ${sql} WHERE id = '${one}'`;
    const { store, term } = await spoilt(t, body, row);
    assert.equal((await store.taskEvents(one, 0, 100)).length, 4);
    await assert.rejects(store.taskEvents(one, 4, 100), isDamagedFrom(5));
    await assert.rejects(
      store.appendTask(taskAppend(term, one, EVENTS)),
      isDamagedFrom(5),
    );
    assert.equal((await store.task(one))?.damaged, true);
  }
});

void test("[STO-66] a row that has no readable id or time is left out and ends no list", async (t) => {
  const { store, path } = await spoilt(
    t,
    `UPDATE tasks SET id = 'tsk_1!' WHERE id = '${one}'`,
  );
  const ids = async (limit: number) => {
    const found: string[] = [];
    for (let after: string | null = null; ;) {
      const page = await store.tasks(
        after === null ? { limit } : { limit, after },
      );
      found.push(...page.tasks.map(({ id }) => id));
      after = page.next;
      if (after === null) return found;
    }
  };
  assert.deepEqual(await ids(1), [two]);
  assert.deepEqual(await store.liveTasks(null, 1), [two]);
  for (const value of ["x'00'", "7"]) {
    spoil(path, `UPDATE tasks SET created_at = ${value} WHERE id = 'tsk_1!'`);
    assert.deepEqual(await ids(1), [two]);
  }
});

void test("[STO-69] news that names no session or no task is left out and makes no page shorter", async (t) => {
  const path = databasePath(t);
  const store = await openAt(path);
  const term = await store.claim();
  for (const n of [1, 2, 3, 4, 5]) {
    const view = sessionView(sessionId(n), { task_id: one });
    const change = append(term, sessionId(n), 0, 1, { view, news: true });
    await store.append(change);
  }
  const of = (n: number) => `WHERE session_id = '${sessionId(n)}'`;
  spoil(path, `UPDATE task_news SET session_id = session_id || '!' ${of(1)}`);
  spoil(path, `UPDATE task_news SET task_id = x'00' ${of(2)}`);
  spoil(path, `UPDATE task_news SET to_seq = 'many' ${of(4)}`);
  const page = await store.allTaskNews(null, 2);
  assert.deepEqual(
    page.map(({ session_id }) => session_id),
    [sessionId(3), sessionId(5)],
  );
  assert.equal(await store.taskNews(sessionId(2)), null);
});

void test("[STO-64] a page that is damaged in the journal of one task is no damage in another's", async (t) => {
  const path = databasePath(t);
  const before = await openAt(path);
  const term = await before.claim();
  // Longer than a page: what lies beyond it is in pages of its own.
  const text = MARK.repeat(1000);
  const long = { ...contextAdded(one, 2), type: "task.context.added" as const };
  const events = [
    taskCreated(one, null),
    { ...long, data: { version: 2, text } },
  ];
  await before.appendTask(taskAppend(term, one, 0, 0, { events }));
  await before.appendTask(taskAppend(term, two, 0, EVENTS, more(two)));
  await before.close();
  const bytes = readFileSync(path);
  for (let at = 0; at < bytes.length; at += PAGE) {
    const page = bytes.subarray(at, at + PAGE);
    if (page.toString("latin1").split(MARK).length > 200) page.fill(0xee);
  }
  writeFileSync(path, bytes);
  const store = await openAt(path);
  const next = await store.claim();
  for (let round = 0; round < 3; round += 1) {
    await assert.rejects(store.taskEvents(one, 1, 10), isDamagedFrom(2));
    assert.deepEqual(await store.taskEvents(two, 0, 100), whole(two));
  }
  assert.deepEqual(await store.taskEvents(one, 0, 10), [
    taskCreated(one, null),
  ]);
  await refused(store.appendTask(taskAppend(next, one, 2)), "task_damaged");
  await store.appendTask(taskAppend(next, two, EVENTS));
});

void test("[STO-67] [STO-80] tasks and their news are found through indexes", async (t) => {
  const path = databasePath(t);
  await (await openAt(path)).close();
  const db = new DatabaseSync(path);
  const plan = (sql: string): string =>
    db
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail))
      .join();
  const plans = [
    [LIST_TASKS, /SEARCH tasks USING INDEX tasks_newest \(.*created_at/],
    [TASK_BY_NAME, /SEARCH tasks USING INDEX tasks_by_name \(name=\?\)/],
    [LIVE_TASKS, /USING (COVERING )?INDEX tasks_live \(id>\?/],
    [DUE_TASKS, /USING (COVERING )?INDEX tasks_due \(.*due_at/],
    [ALL_NEWS, /SEARCH task_news USING PRIMARY KEY \(session_id>\?/],
  ] as const;
  const found = plans.map(([sql]) => plan(sql));
  assert.match(plan(TASKS_BEGUN_SO), /USING INDEX \w+ \(id>\? AND id<\?\)/);
  db.close();
  for (const [index, [, expected]] of plans.entries()) {
    assert.match(found[index] ?? "", expected);
    assert.doesNotMatch(found[index] ?? "", /TEMP B-TREE/);
  }
});

const isDamagedFrom = (from: number) => (error: unknown) => {
  assert.ok(error instanceof RepriseError, String(error));
  assert.equal(error.code, "task_damaged", error.message);
  assert.equal(error.damaged_from, from, error.message);
  assert.match(error.message, new RegExp(`from event ${from} on`));
  return true;
};
