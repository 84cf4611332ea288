import assert from "node:assert/strict";
import { test } from "node:test";
import type { Executors } from "../runtime/ports/executors.ts";
import { executorsOf } from "./executors.ts";

test("[EXE-1] a place is its executor's by its kind, and a kind that nobody has is refused", async () => {
  const asked: string[] = [];
  const kind = (name: string): Executors => ({
    obtain: async ({ id }) => assert.fail(`${name} ${id}`),
    find: async ({ id }) => {
      asked.push(`find ${name} ${id}`);
      return null;
    },
    leave: async ({ id }) => void asked.push(`leave ${name} ${id}`),
    close: async () => void asked.push(`close ${name}`),
  });
  const all = executorsOf({ one: kind("one"), two: kind("two") });
  assert.equal(await all.find({ kind: "two", id: "b" }, 1), null);
  await all.leave({ kind: "one", id: "a" });
  await assert.rejects(all.obtain({ kind: "two", id: "c" }, 1), /two c/);
  for (const other of ["moon", "constructor"])
    await assert.rejects(all.obtain({ kind: other, id: "a" }, 1), {
      code: "not_supported",
    });
  await all.close();
  assert.deepEqual(asked, [
    "find two b",
    "leave one a",
    "close one",
    "close two",
  ]);
});
