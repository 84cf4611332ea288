import assert from "node:assert/strict";
import { test } from "node:test";
import type { Difference } from "./diff.ts";
import { besidesAll, onlyAt } from "./path-filter.ts";

const directory = (path: string) =>
  ({
    name: path,
    kind: "directory",
    mode: 0o755,
    mtime: { seconds: 0, nanoseconds: 0 },
    hash: "",
  }) as const;

const made = (path: string): Difference => ({
  path,
  before: null,
  after: directory(path),
});

const gone = (path: string): Difference => ({
  path,
  before: directory(path),
  after: null,
});

test("[CPT-8] what is asked for, what is beneath it, and the way to it", () => {
  const isWanted = onlyAt(["a/b", "c"]);
  for (const path of ["a/b", "a/b/c/d", "c", "c/x"])
    assert.ok(isWanted(gone(path)), path);
  for (const path of ["a", "", "a/bc", "b", "d/c"])
    assert.ok(!isWanted(gone(path)), path);
  for (const path of ["a", ""]) assert.ok(isWanted(made(path)), path);
  assert.ok(!isWanted(made("b")));
  assert.ok(onlyAt([""])(gone("a/b")), "the root is all of it");
});

test("[CPT-8] tens of thousands of paths are no more work for each step", () => {
  const paths = Array.from({ length: 50_000 }, (_, n) => `some/dir/file-${n}`);
  const isWanted = onlyAt(paths);
  assert.equal(paths.map(gone).filter(isWanted).length, paths.length);
  const others = paths.map((path) => gone(`${path}-too`));
  assert.equal(others.filter(isWanted).length, 0);
});

test("[CPT-33] what shall stay stays, with what is beneath it and the directories it is in", () => {
  const isFree = besidesAll(["a/b", "c"]);
  for (const path of ["a/b", "a/b/c/d", "c", "c/x"]) {
    assert.ok(!isFree(gone(path)), path);
    assert.ok(!isFree(made(path)), path);
  }
  for (const path of ["a/bc", "b", "d/c"]) assert.ok(isFree(gone(path)), path);
  for (const path of ["a", ""]) {
    assert.ok(!isFree(gone(path)), path);
    assert.ok(isFree(made(path)), "its mode may go back");
  }
  assert.ok(besidesAll([])(gone("")));
});
