import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { permissionId } from "../../../contract/base/id.ts";
import { refused } from "../../fixtures/conformance/rule.ts";
import {
  append,
  asked,
  at,
  captured,
  executorRow,
  promptId,
  queued,
  said,
  sessionId,
  taskId,
} from "../../fixtures/conformance/sample.ts";
import { executorRowOf, executorColumns } from "../tables/executors.ts";
import { OldDatabase } from "../fixtures/old-database.ts";
import { databasePath, openAt } from "../fixtures/place.ts";
import { spoil } from "../fixtures/spoil.ts";

const [one, two, three] = [sessionId(1), sessionId(2), sessionId(3)];
const MANY = 4500;

const many = (n: typeof one) =>
  Array.from({ length: MANY }, (_, i) => said(n, i + 1));

void test("[STO-7] what an older release has written is as it was, and damage to it is noticed from then on", async (t) => {
  const path = databasePath(t);
  const old = new OldDatabase(path);
  const permission = permissionId(1, 10);
  const events = [
    queued(one, 1, promptId(1), "hello"),
    asked(one, 2, permission),
    answered(3),
    captured(one, 4),
  ];
  old.session(one, events);
  old.session(two, many(two));
  old.run(
    "INSERT INTO prompts VALUES (?, ?, ?, ?, ?)",
    promptId(1),
    one,
    1,
    "done",
    "hello",
  );
  const executor = executorRow(one);
  old.run(
    `INSERT INTO executors_running (${executorColumns.join(", ")}) VALUES (${executorColumns.map(() => "?").join(", ")})`,
    ...executorRowOf(executor),
  );
  old.run("INSERT INTO session_env VALUES (?, ?)", one, '{"A":"1"}');
  old.run("INSERT INTO receipts VALUES ('tasks', 'k', 'r', '{}')");
  old.run("INSERT INTO tasks VALUES (?, 'T', '', ?)", taskId(1), at(1));
  old.close();

  const store = await openAt(path);
  const term = await store.claim();
  assert.deepEqual(await store.events(one, 0, 10), events);
  assert.deepEqual(await store.events(two, 0, 10_000), many(two));
  assert.equal((await store.prompt(one, promptId(1)))?.text, "hello");
  assert.equal((await store.prompt(one, promptId(1)))?.state, "done");
  assert.equal((await store.permission(one, permission))?.option_id, "yes");
  assert.deepEqual(await store.checkpoints(one), [captured(one, 4)]);
  assert.deepEqual(await store.executors(), [executor]);
  assert.deepEqual(await store.env(one), { A: "1" });
  assert.equal((await store.receipt("tasks", "k"))?.answer, "{}");
  const task = await store.task(taskId(1));
  assert.deepEqual([task?.title, task?.damaged], ["T", undefined]);
  await store.append(append(term, two, MANY));

  spoil(path, "UPDATE events SET body = replace(body, 'hello', 'hallo')");
  await refused(store.events(one, 0, 10), "session_damaged");
  assert.equal((await store.events(two, 0, 10_000)).length, MANY + 1);
});

for (const commit of [2, 4, 5])
  void test(`[STO-7] a server that is killed at commit ${commit} meanwhile goes on where it was`, async (t) => {
    const path = databasePath(t);
    const old = new OldDatabase(path);
    for (const session of [one, two]) old.session(session, many(session));
    old.close();
    const program = join(import.meta.dirname, "../fixtures/open-once.ts");
    const { signal } = spawnSync(process.execPath, [program, path], {
      env: {
        ...process.env,
        REPRISE_CRASH_AT: `store.after-commit:${commit}`,
      },
    });
    assert.equal(signal, "SIGKILL");
    const sealed = sealedEvents(path);
    assert.ok(sealed > 0 && sealed < 2 * MANY, `${sealed} are sealed`);
    const store = await openAt(path);
    assert.equal(sealedEvents(path), 2 * MANY);
    for (const session of [one, two])
      assert.deepEqual(await store.events(session, 0, 10_000), many(session));
  });

void test("[STO-7] a session that is damaged already is marked, and the others are sealed", async (t) => {
  const path = databasePath(t);
  const old = new OldDatabase(path);
  for (const session of [one, two, three])
    old.session(session, [
      said(session, 1),
      said(session, 2),
      said(session, 3),
    ]);
  old.run("UPDATE events SET body = '{' WHERE session_id = ? AND seq = 2", one);
  old.run("DELETE FROM events WHERE session_id = ? AND seq = 3", two);
  old.close();
  const store = await openAt(path);
  const damaged = await store.damaged(10);
  assert.deepEqual(
    damaged.map(({ id, damaged_from }) => [id, damaged_from]),
    [
      [one, 2],
      [two, 3],
    ],
  );
  assert.deepEqual(await store.events(one, 0, 10), [said(one, 1)]);
  assert.equal((await store.events(three, 0, 10)).length, 3);
});

const answered = (seq: number) => ({
  ...said(one, seq),
  type: "session.permission.answered" as const,
  data: { id: permissionId(1, 10), option_id: "yes" },
});

const sealedEvents = (path: string): number => {
  const db = new DatabaseSync(path);
  try {
    const sql = "SELECT count(*) AS n FROM events WHERE chain IS NOT NULL";
    return Number(db.prepare(sql).get()?.["n"]);
  } finally {
    db.close();
  }
};
