import assert from "node:assert/strict";
import { test } from "node:test";
import { DiskWatch } from "./full-disk.ts";

const KIB = 1024;

test("[REC-15] a full disk is told once until there is room again, not whenever a few bytes come and go", () => {
  const told: string[] = [];
  const disk = new DiskWatch();
  const execution = {
    files: { directory: "/" },
    ended: { promise: Promise.resolve() },
    left: false,
    notice: (code: string) => void told.push(code),
  };
  const after = (...kib: number[]): number => {
    for (const left of kib) disk.heed(execution, left * KIB);
    return told.length;
  };
  assert.equal(after(5000, 65), 0);
  assert.equal(after(63), 1);
  assert.equal(after(0, 65, 10, 1000, 10), 1);
  assert.equal(after(1024, 10, 10), 2);
});
