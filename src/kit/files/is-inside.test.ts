import assert from "node:assert/strict";
import { test } from "node:test";
import { isInside } from "./is-inside.ts";

test("a path lies in a directory by its parts, not by its letters", () => {
  assert.equal(isInside("/a/b", "/a"), true);
  assert.equal(isInside("/a", "/a"), true);
  assert.equal(isInside("/ab", "/a"), false);
  assert.equal(isInside("/a/..b", "/a"), true);
  assert.equal(isInside("/a", "/"), true);
});
