import assert from "node:assert/strict";
import { test } from "node:test";
import { taskState } from "./derive.ts";

test("a task's state follows from its sessions", () => {
  const session = (
    state:
      "STARTING" | "RUNNING" | "WAITING_FOR_INPUT" | "PAUSED" | "COMPLETED",
    turn_count: number,
  ) => ({ state, turn_count });
  assert.equal(taskState([]), "CREATED");
  assert.equal(taskState([session("STARTING", 0)]), "IN_PROGRESS");
  assert.equal(
    taskState([session("PAUSED", 3), session("RUNNING", 1)]),
    "IN_PROGRESS",
  );
  assert.equal(taskState([session("WAITING_FOR_INPUT", 1)]), "REVIEW");
  assert.equal(
    taskState([session("PAUSED", 2), session("COMPLETED", 1)]),
    "REVIEW",
  );
  assert.equal(taskState([session("WAITING_FOR_INPUT", 0)]), "IN_PROGRESS");
});
