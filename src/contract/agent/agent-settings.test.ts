import assert from "node:assert/strict";
import { test } from "node:test";
import { settingsIn } from "./agent-settings.ts";

test("[SES-150] only the settings of the agent are told to it, whatever is changed with them", () => {
  const changes = {
    change: 3,
    name: "new",
    on_interrupt: "wait",
    on_quota: "continue",
    budget: null,
    mode: "plan",
    model: undefined,
  } as const;
  assert.deepEqual(settingsIn(changes), { mode: "plan" });
});
