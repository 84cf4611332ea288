import assert from "node:assert/strict";
import { test } from "node:test";
import { quickOnes } from "./fast.ts";
import { Times } from "./times.ts";

test("test:fast runs what is quick or not recorded yet, and the walk through the whole product however long it takes", () => {
  const times = new Times(
    new Map([
      ["src/slow.test.ts", 20],
      ["src/quick.test.ts", 2],
      ["test/smoke/smoke.test.ts", 20],
    ]),
  );
  const files = [
    "/p/src/slow.test.ts",
    "/p/src/quick.test.ts",
    "/p/src/unknown.test.ts",
    "/p/test/smoke/smoke.test.ts",
  ];
  assert.deepEqual(quickOnes("/p", files, times), files.slice(1));
});
