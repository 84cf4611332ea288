import assert from "node:assert/strict";
import { test } from "node:test";
import { mayOpenAt } from "./opening-facts.ts";

test("a session that must not be opened yet is waited for, two minutes at most", () => {
  const now = Date.parse("2026-11-15T06:00:30Z");
  assert.equal(mayOpenAt(null, now), now);
  assert.equal(mayOpenAt(now - 1, now), now);
  assert.equal(mayOpenAt(now + 30_000, now), now + 30_000);
  const never = Date.parse("9999-12-31T23:59:00Z");
  assert.equal(mayOpenAt(never, now), now + 120_000);
});
