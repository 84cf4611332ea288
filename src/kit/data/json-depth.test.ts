import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeeperThan } from "./json-depth.ts";

const nested = (depth: number): Buffer =>
  Buffer.from(`{"1":1,"x":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`);

test("depth is counted in brackets, not in what stands in strings", () => {
  assert.equal(isDeeperThan(nested(100), 100), false);
  assert.equal(isDeeperThan(nested(101), 100), true);
  assert.equal(isDeeperThan(nested(20_000), 100), true);
  assert.equal(isDeeperThan(Buffer.from(`{"a":"[[[[\\"[[[["}`), 2), false);
  assert.equal(isDeeperThan(Buffer.from(`["\\\\",[[]]]`), 2), true);
});
