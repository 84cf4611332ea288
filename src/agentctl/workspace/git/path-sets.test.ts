import assert from "node:assert/strict";
import { test } from "node:test";
import { isAbove, isAmong } from "./path-sets.ts";

test("[CPT-33] a path is at one of others, beneath it, or above it, by whole names", () => {
  const paths = ["a/b", "c"];
  const beneath = ["a/b", "a/b/x/y", "c", "c/x"];
  const neither = ["a/bc", "cc", "x", "x/a/b"];
  for (const path of beneath) assert.ok(isAmong(paths)(path), path);
  for (const path of [...neither, "a", ""]) assert.ok(!isAmong(paths)(path));
  for (const path of ["a", "a/b", "c", ""])
    assert.ok(isAbove(paths)(path), path);
  for (const path of [...neither, "a/b/x", "c/x"])
    assert.ok(!isAbove(paths)(path), path);
  assert.ok(isAmong([""])("anything"));
});
