import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { LOCAL } from "../../../contract/base/place.ts";
import { newTask } from "../../../contract/task/new-task.ts";
import { Task } from "../../../contract/task/task.ts";
import { refused } from "../../fixtures/conformance/rule.ts";
import {
  append,
  at,
  sessionId,
  sessionView,
  taskAppend,
  taskId,
} from "../../fixtures/conformance/sample.ts";
import { beforeTasks } from "../fixtures/before-tasks.ts";
import { OldDatabase } from "../fixtures/old-database.ts";
import { databasePath, openAt } from "../fixtures/place.ts";
import { destroyPage, spoil } from "../fixtures/spoil.ts";

const older = (n: number, description = "Überprüfe 日本 🙂") => ({
  id: taskId(n),
  title: `Task ${n}`,
  description,
  created_at: at(n),
});

/** A database of the release before: task 1 has two sessions, of three and of five events. */
const olderDatabase = async (
  path: string,
  count: number,
  description?: string,
): Promise<void> => {
  const store = await openAt(path);
  const term = await store.claim();
  for (const [n, length] of [
    [1, 3],
    [2, 5],
  ] as const) {
    const view = sessionView(sessionId(n), { task_id: taskId(1) });
    await store.append(append(term, sessionId(n), 0, length, { view }));
  }
  await store.append(append(term, sessionId(3), 0, 2));
  await store.close();
  const db = new DatabaseSync(path);
  beforeTasks(
    db,
    Array.from({ length: count }, (_, n) => older(n + 1, description)),
  );
  db.close();
};

const retry = { limit: 0, backoff_seconds: 10, most_seconds: 600 };

const isThere = (path: string, table: string): boolean => {
  const db = new DatabaseSync(path);
  const sql = "SELECT 1 FROM sqlite_schema WHERE name = ?";
  const found = db.prepare(sql).get(table);
  db.close();
  return found !== undefined;
};

void test("[STO-71] tasks of an older release get a journal of one event, and go on from there", async (t) => {
  const path = databasePath(t);
  await olderDatabase(path, 2);
  const store = await openAt(path);
  const { id, title, description, created_at } = older(1);
  const view = newTask({ id, title, description, created_at });
  assert.deepEqual(await store.task(id), view);
  assert.deepEqual(Task.parse(view), view);
  assert.deepEqual(await store.loadTask(id), { last_seq: 1 });
  assert.deepEqual(await store.taskEvents(id, 0, 10), [
    {
      seq: 1,
      type: "task.created",
      at: created_at,
      task_id: id,
      data: {
        title,
        description,
        session: {},
        retry,
        timeout_minutes: null,
        name: null,
        place: LOCAL,
      },
    },
  ]);
  const { tasks } = await store.tasks({ limit: 10 });
  assert.deepEqual(
    tasks.map((task) => task.id),
    [taskId(2), taskId(1)],
  );
  await store.appendTask(taskAppend(await store.claim(), id, 1));
  assert.equal((await store.taskEvents(id, 0, 10)).length, 2);
  assert.equal(isThere(path, "older_tasks"), false);
});

void test("[STO-71] everything in their sessions is news", async (t) => {
  const path = databasePath(t);
  await olderDatabase(path, 1);
  const store = await openAt(path);
  const task_id = taskId(1);
  assert.deepEqual(await store.allTaskNews(null, 10), [
    { session_id: sessionId(1), task_id, from_seq: 1, to_seq: 3 },
    { session_id: sessionId(2), task_id, from_seq: 1, to_seq: 5 },
  ]);
});

void test("[STO-71] more tasks than a page has are filled, and nothing is left where there were none", async (t) => {
  const path = databasePath(t);
  await olderDatabase(path, 1200);
  const store = await openAt(path);
  const { tasks } = await store.tasks({ limit: 5000 });
  assert.equal(tasks.length, 1200);
  assert.ok(tasks.every(({ damaged }) => damaged === undefined));
  assert.equal(isThere(path, "older_tasks"), false);

  const empty = databasePath(t);
  await olderDatabase(empty, 0);
  assert.deepEqual((await (await openAt(empty)).tasks({ limit: 9 })).tasks, []);
  assert.equal(isThere(empty, "older_tasks"), false);
});

for (const [point, filled] of [
  ["store.before-commit:2", 0],
  ["store.after-commit:1", 0],
  ["store.after-commit:3", 1000],
  ["store.before-commit:5", 1100],
  ["store.after-commit:5", 1100],
] as const)
  void test(`[STO-71] a server that is killed meanwhile goes on where it was: ${point}`, async (t) => {
    const path = databasePath(t);
    await olderDatabase(path, 1100);
    const program = join(import.meta.dirname, "../fixtures/open-once.ts");
    const { signal } = spawnSync(process.execPath, [program, path], {
      env: { ...process.env, REPRISE_CRASH_AT: point },
    });
    assert.equal(signal, "SIGKILL");
    const db = new DatabaseSync(path);
    const { n } = db.prepare("SELECT count(*) AS n FROM tasks").get() ?? {};
    db.close();
    assert.equal(n, filled);
    const store = await openAt(path);
    const { tasks } = await store.tasks({ limit: 5000 });
    assert.deepEqual(
      tasks.map(({ id, title, damaged }) => [id, title, damaged]),
      Array.from({ length: 1100 }, (_, i) => [
        taskId(1100 - i),
        `Task ${1100 - i}`,
        undefined,
      ]),
    );
    for (const n of [1, 500, 501, 1100])
      assert.equal((await store.taskEvents(taskId(n), 0, 9)).length, 1);
    assert.equal((await store.allTaskNews(null, 9)).length, 2);
    assert.equal(isThere(path, "older_tasks"), false);
  });

void test("[STO-72] a task that was damaged already keeps its mark, and the others go on", async (t) => {
  const path = databasePath(t);
  await olderDatabase(path, 3);
  spoil(path, "UPDATE tasks SET title = 'Tusk 1' WHERE id = ?", taskId(1));
  spoil(path, "UPDATE tasks SET description = x'00' WHERE id = ?", taskId(2));
  const store = await openAt(path);
  const { tasks } = await store.tasks({ limit: 10 });
  assert.deepEqual(
    tasks.map(({ id, title, damaged }) => [id, title, damaged]),
    [
      [taskId(3), "Task 3", undefined],
      [taskId(2), "Task 2", true],
      [taskId(1), "Tusk 1", true],
    ],
  );
  await refused(store.loadTask(taskId(1)), "task_damaged");
  await refused(store.taskEvents(taskId(1), 0, 9), "task_damaged");
  const term = await store.claim();
  await refused(
    store.appendTask(taskAppend(term, taskId(1), 1)),
    "task_damaged",
  );
  // Nobody could tell it anything.
  assert.deepEqual(await store.allTaskNews(null, 9), []);
  assert.equal((await store.task(taskId(1)))?.damaged, true);
});

void test("[STO-71] a page of the disk that cannot be read keeps only its own tasks from it, and is kept", async (t) => {
  const path = databasePath(t);
  await olderDatabase(path, 300, "word ".repeat(40));
  destroyPage(path, "Task 150", "word word");
  const store = await openAt(path, { onDamage: () => undefined });
  const { tasks } = await store.tasks({ limit: 5000 });
  assert.ok(tasks.length > 270 && tasks.length < 300, `${tasks.length}`);
  assert.ok(!tasks.some(({ id }) => id === taskId(150)));
  assert.ok(tasks.every(({ damaged }) => damaged === undefined));
  assert.equal(isThere(path, "older_tasks"), true);
  await store.close();
  const again = await openAt(path, { onDamage: () => undefined });
  const still = await again.tasks({ limit: 5000 });
  assert.equal(still.tasks.length, tasks.length);
});

void test("[STO-71] [STO-7] tasks of a release that knew no checksums get their journals, too", async (t) => {
  const path = databasePath(t);
  const old = new OldDatabase(path);
  old.run("INSERT INTO tasks VALUES (?, 'T', 'D', ?)", taskId(1), at(1));
  old.close();
  const store = await openAt(path);
  const task = await store.task(taskId(1));
  assert.deepEqual([task?.title, task?.damaged], ["T", undefined]);
  assert.equal((await store.taskEvents(taskId(1), 0, 9)).length, 1);
});
