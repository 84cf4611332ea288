import assert from "node:assert/strict";
import { test } from "node:test";
import { LOCAL, type PlaceRef } from "../../contract/base/place.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { IntentRunner } from "../../journal/intent-runner.ts";
import { Later } from "../../kit/time/later.ts";
import { memoryStore } from "../../store/memory.ts";
import { creation, taskId } from "../../task/fixtures/task-story.ts";
import { intend, type Intent, keyOf } from "../../task/intend.ts";
import { taskEngine } from "../fixtures/task-engine.ts";
import { keptTasks } from "./kept-tasks.ts";
import { type Tasks, tasks as kind } from "./task-journal.ts";

const far: PlaceRef = { kind: "ssh", id: "far" };

test("[REC-68] the tasks of a place that is given up are let go, and no others", async () => {
  const store = memoryStore();
  const term = await store.claim();
  const { tasks, commits, shelf } = taskEngine(store, term);
  const intents = new IntentRunner<Tasks, Intent>(commits, {
    kind,
    intend,
    keyOf,
    react: async () => undefined,
    isGone: () => false,
    label: "task_id",
    later: new Later(),
    log: { warn() {}, error() {} },
  });
  await tasks.create(creation({ task_id: taskId(1), place: LOCAL }));
  await tasks.create(creation({ task_id: taskId(2), place: far }));
  const why = new RepriseError("superseded", "Another server has it.");
  const kept = keptTasks({ tasks, shelf, intents });
  await kept.one(far, why);
  assert.deepEqual([...tasks.kept()], [taskId(1)]);
  await kept.all([LOCAL], why);
  assert.deepEqual([...tasks.kept()], []);
});
