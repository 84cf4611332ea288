import assert from "node:assert/strict";
import { test } from "node:test";
import { DirectoryLocks } from "./directory-locks.ts";

test("[CPT-9] one at a time in a directory, and in those above and beneath it", async () => {
  const locks = new DirectoryLocks();
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const hold = (path: string, until = Promise.resolve()) =>
    locks.hold(path, async () => {
      order.push(`in ${path}`);
      await until;
      order.push(`out ${path}`);
    });
  const all = [hold("/a/b", first.promise), hold("/a"), hold("/a/b/c")];
  await hold("/ab");
  assert.deepEqual(order, ["in /a/b", "in /ab", "out /ab"]);
  first.resolve();
  await Promise.all(all);
  assert.deepEqual(order.slice(3), [
    "out /a/b",
    "in /a",
    "out /a",
    "in /a/b/c",
    "out /a/b/c",
  ]);
});

test("[CPT-9] who gives up waiting does not let others past", async () => {
  const locks = new DirectoryLocks();
  const first = Promise.withResolvers<void>();
  const stop = new AbortController();
  let inside = 0;
  const holder = locks.hold("/a", () => first.promise);
  const called = locks.hold("/a", async () => (inside += 1), stop.signal);
  const last = locks.hold("/a", async () => (inside += 10));
  stop.abort();
  await assert.rejects(called);
  assert.equal(inside, 0);
  first.resolve();
  await Promise.all([holder, last]);
  assert.equal(inside, 10);
});
