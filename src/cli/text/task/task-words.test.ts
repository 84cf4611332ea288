import assert from "node:assert/strict";
import { test } from "node:test";
import {
  numberedOfTask,
  sampleTask,
  TASK,
} from "../../fixtures/sample-task.ts";
import { palette } from "../../terminal/palette.ts";
import { nextStep } from "./next-step.ts";
import { taskLine } from "./task-line.ts";

const NOTHING = { turns: 1, minutes: 0, tokens: null, cost: null };

test("[TSK-71] where the budget is used up, asking for more begins with raising it", () => {
  const words = (reached: "turns" | null) =>
    nextStep(
      sampleTask({
        state: "REVIEW",
        attempts: 1,
        budget: { limits: { turns: 1 }, spent: NOTHING, reached },
      }),
      "reprise",
      new Date(0),
    );
  assert.match(
    words("turns"),
    new RegExp(`task update ${TASK} --budget turns=N --context "…"`),
  );
  assert.match(words(null), new RegExp(`task update ${TASK} --context "…"`));
});

test("[TSK-72] a budget that was changed is told as that", () => {
  const { title, description, retry } = sampleTask();
  const line = (before: { turns: number } | null, budget: typeof before) => {
    const [event] = numberedOfTask(1, [
      {
        type: "task.described",
        data: {
          title,
          description,
          session: {},
          retry,
          timeout_minutes: null,
          budget,
        },
      },
    ]);
    assert.ok(event);
    const known = { numbers: new Map(), budget: before };
    return taskLine(event, known, palette(false));
  };
  assert.equal(
    line({ turns: 1 }, { turns: 3 }),
    "── the budget is changed: turns 3",
  );
  assert.equal(line({ turns: 1 }, null), "── the budget is taken away");
  assert.equal(
    line({ turns: 1 }, { turns: 1 }),
    "── the settings of the task are changed",
  );
});
