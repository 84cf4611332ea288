import assert from "node:assert/strict";
import { test } from "node:test";
import { processorWait } from "./processor-wait.ts";

test("[CHK-28] how long a thread had to wait for a processor is a time that only grows", async () => {
  const waited = processorWait();
  let before = waited();
  assert.ok(before >= 0);
  for (let n = 0; n < 100; n += 1) {
    await new Promise(setImmediate);
    const now = waited();
    assert.ok(now >= before, `${now} after ${before}`);
    before = now;
  }
});
