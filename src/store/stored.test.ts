import assert from "node:assert/strict";
import { test } from "node:test";
import { TaskId } from "../contract/base/id.ts";
import { newTask, NO_RETRY } from "../contract/task/new-task.ts";
import { storedTask } from "./stored.ts";

test("[TSK-68] what an older release kept of a task for lists is shortened when it is read", () => {
  const AT = "2026-01-01T00:00:00.000Z";
  const old = {
    ...newTask({
      id: TaskId.parse(`tsk_${"0".repeat(26)}`),
      title: "Work",
      description: "d".repeat(50_000),
      retry: NO_RETRY,
      last_seq: 2,
      created_at: AT,
    }),
    contexts: [{ version: 2, text: "c".repeat(50_000), at: AT }],
  };
  const task = storedTask(JSON.stringify(old));
  assert.deepEqual(task.shortened, ["description", "contexts"]);
  assert.deepEqual([task.description.length, task.contexts], [2000, []]);
  assert.deepEqual(storedTask(JSON.stringify(task)), task);
});
