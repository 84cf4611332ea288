import assert from "node:assert/strict";
import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { append, sessionId } from "../../fixtures/conformance/sample.ts";
import { databasePath, openAt } from "../fixtures/place.ts";
import { hasReadableLog } from "./log-header.ts";

void test("[REC-16] a log is told from what is none", async (t) => {
  const path = databasePath(t);
  const store = await openAt(path);
  await store.append(append(await store.claim(), sessionId(1), 0));
  const log = `${path}-wal`;
  const good = readFileSync(log);
  assert.equal(hasReadableLog(path), true);

  const cases: [string, Buffer, boolean][] = [
    ["a torn end", good.subarray(0, good.length - 100), true],
    ["a flipped bit of its salt", flipped(good, 17), false],
    ["a flipped bit of its magic", flipped(good, 0), false],
    ["garbage", Buffer.alloc(good.length, 0xee), false],
    ["zeros, before its header is flushed", Buffer.alloc(good.length), true],
    ["nothing", Buffer.alloc(0), true],
  ];
  const copy = `${path}-copy`;
  for (const [name, bytes, readable] of cases) {
    writeFileSync(`${copy}-wal`, bytes);
    assert.equal(hasReadableLog(copy), readable, name);
  }
  truncateSync(`${copy}-wal`, 10);
  assert.equal(hasReadableLog(copy), true, "less than a header");
  rmSync(`${copy}-wal`);
  assert.equal(hasReadableLog(copy), true, "none");
});

const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
};
