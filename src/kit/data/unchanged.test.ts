import assert from "node:assert/strict";
import { test } from "node:test";
import { Unchanged } from "./unchanged.ts";

test("what has been the same for so long is told; what changed, or was away, begins anew", () => {
  let now = 0;
  const unchanged = new Unchanged<string>(() => now);
  const look = (...things: string[]) =>
    unchanged.since(100, things, (thing) => ({
      key: thing.slice(0, 1),
      mark: thing.slice(1),
    }));
  assert.deepEqual(look("a1", "b1"), []);
  now = 60;
  assert.deepEqual(look("a1", "b2"), []);
  now = 120;
  assert.deepEqual(look("a1", "b2"), ["a1"]);
  assert.deepEqual(look("b2"), []);
  now = 170;
  assert.deepEqual(look("a1", "b2"), ["b2"]);
});
