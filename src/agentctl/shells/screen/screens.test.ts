import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { patience } from "../../../kit/fixtures/patience.ts";
import { newShell } from "../../fixtures/test-shell.ts";
import { Screens } from "./screens.ts";

const STUCK = fileURLToPath(
  new URL("../../fixtures/stuck-screens.ts", import.meta.url),
);
const STEP_MS = 1000;
const shell = newShell();

const openScreens = async (t: TestContext, silentMs: number) => {
  const screens = new Screens({ program: STUCK, silentMs });
  t.after(() => screens.close());
  await screens.call("snapshot", { shell, last: false });
  return screens;
};

test("[SHL-50] [SHL-51] a thread is ended at the thirtieth step without an answer, and each answer begins anew", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const screens = await openScreens(t, 30 * STEP_MS);
  const answered = screens.call("snapshot", { shell, last: false });
  t.mock.timers.tick(29 * STEP_MS);
  await answered;
  const bytes = new Uint8Array(1);
  let isOver = false;
  const stuck = screens
    .call("write", { shell, bytes, isReplay: false })
    .finally(() => (isOver = true));
  const ended = assert.rejects(stuck, /was silent for 30000 ms/);
  t.mock.timers.tick(29 * STEP_MS);
  await nextTurn();
  assert.ok(!isOver && screens.has(1));
  t.mock.timers.tick(STEP_MS);
  await ended;
  assert.ok(!screens.has(1));
  assert.equal(screens.brokenBy, shell);
});

test("[SHL-51] a thread that answered is not ended, however long agentctl did not run meanwhile", async (t) => {
  const silentMs = patience(1000);
  const screens = await openScreens(t, silentMs);
  // Timers come next, and messages behind them.
  await nextTurn();
  const answered = screens.call("snapshot", { shell, last: false });
  // This thread stands still, as if it was stopped.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1.1 * silentMs);
  await answered;
  assert.ok(screens.has(1));
});
