import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { takeOsLock } from "../kit/processes/os-lock.ts";
import { holdHome, LOCK } from "./home.ts";

/** A home whose holder the system does not name. */
const stage = (t: TestContext) => {
  const home = mkdtempSync(join(tmpdir(), "reprise-held-"));
  const lock = takeOsLock(join(home, LOCK));
  assert.ok(lock);
  let isHeld = true;
  const release = (): void => {
    if (isHeld) lock.release();
    isHeld = false;
  };
  t.after(() => {
    release();
    rmSync(home, { recursive: true });
  });
  return { home, release, holder: () => Promise.resolve(null) };
};

for (const takeOver of [true, false])
  test(`[REC-28] a home that a dying server still holds for a moment is taken (taking over: ${takeOver})`, async (t) => {
    const { home, release, holder } = stage(t);
    let left = 3;
    const pause = () => {
      left -= 1;
      if (left === 0) release();
      return Promise.resolve();
    };
    const taken = await holdHome(home, takeOver, { holder, pause });
    taken.release();
    assert.equal(left, 0);
  });

test("[REC-28] nobody is advised to take over a home whose holder is not known", async (t) => {
  const { home, holder } = stage(t);
  const pause = () => Promise.resolve();
  for (const takeOver of [true, false])
    await assert.rejects(holdHome(home, takeOver, { holder, pause }), {
      code: "home_held",
      message: /^(?!.*--take-over).*does not name.*$/,
    });
});
