import assert from "node:assert/strict";
import { test } from "node:test";
import { stillToWait } from "./opening-facts.ts";

const now = Date.parse("2026-11-15T06:00:30Z");

test("a session that must not be opened yet is waited for, two minutes at most", () => {
  assert.equal(stillToWait(now - 1, now, 0), 0);
  assert.equal(stillToWait(now + 30_000, now, 0), 30_000);
  const never = Date.parse("9999-12-31T23:59:00Z");
  assert.equal(stillToWait(never, now, 0), 120_000);
});

test("[LNK-64] a clock that is set back while a session waits does not make it wait for hours", () => {
  const yesterday = now - 86_400_000;
  assert.equal(stillToWait(now + 30_000, yesterday, 20_000), 100_000);
  assert.equal(stillToWait(now + 30_000, yesterday, 120_000), 0);
});
