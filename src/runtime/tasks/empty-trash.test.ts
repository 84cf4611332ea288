import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryStore } from "../../store/memory.ts";
import {
  creation,
  idsOf,
  sessionId,
  taskId,
} from "../../task/fixtures/task-story.ts";
import { taskEngine } from "../fixtures/task-engine.ts";
import { emptyTaskTrash } from "./empty-trash.ts";

const DAY_MS = 86_400_000;

test("[TSK-69] tasks that have been in the trash for long enough are removed, unless something is to be done for them", async () => {
  const store = memoryStore();
  const term = await store.claim();
  let now = 0;
  const clock = { now: () => new Date(now) };
  const { tasks } = taskEngine(store, term, clock);
  const [old, young, open, busy] = [1, 2, 3, 4].map(taskId);
  assert.ok(old && young && open && busy);
  for (const task_id of [old, young, open, busy])
    await tasks.create(creation({ task_id }));
  await tasks.issue(busy, { type: "task.run", ids: idsOf(1), agent: "demo" });
  const { attempt_id, prompt_id } = idsOf(1);
  await tasks.issue(busy, {
    type: "prompt.queued",
    attempt_id,
    prompt_id,
    session_id: sessionId(1),
  });
  for (const id of [old, busy]) await tasks.issue(id, { type: "task.delete" });
  now = 5 * DAY_MS;
  await tasks.issue(young, { type: "task.delete" });
  now = 8 * DAY_MS;
  const removed = await emptyTaskTrash(
    {
      tasks,
      store,
      callers: new Map(),
      log: { warn: assert.fail },
    },
    { ...clock, since: (stamp) => stamp },
    { ttl_days: null, retention_days: null, trash_days: 7 },
  );
  assert.deepEqual(removed, [old]);
  assert.equal(await store.task(old), null);
  await assert.rejects(tasks.state(old), { code: "task_not_found" });
  for (const id of [young, open, busy])
    assert.notEqual(await store.task(id), null);
});
