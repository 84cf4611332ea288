import assert from "node:assert/strict";
import { test } from "node:test";
import { databasePath } from "./fixtures/place.ts";
import type { Mortal } from "./fixtures/mortal-thread.ts";
import { Thread } from "./thread.ts";

const stage = async (path: string) => {
  const seen = { ended: 0, isGone: false };
  const { thread } = await Thread.start<Mortal>({
    program: new URL("./fixtures/mortal-thread.ts", import.meta.url),
    opened: { path, beside: [] },
    check: () => {
      if (seen.isGone) throw new Error("the home is gone");
    },
    onEnded: () => void (seen.ended += 1),
  });
  return { thread, seen };
};

const isRefused = { code: "storage_unavailable" };

test("[REC-41] a thread that ends in the middle of its work is started again, and what it acknowledged is there", async (t) => {
  const { thread, seen } = await stage(databasePath(t));
  assert.equal(await thread.ask("write", "one"), 1);
  const dying = thread.ask("die", "unwritten");
  const behind = thread.ask("write", "unwritten too");
  await assert.rejects(dying, isRefused);
  await assert.rejects(behind, isRefused);
  assert.equal(seen.ended, 1);
  assert.equal(await thread.ask("write", "two"), 2);
  await assert.rejects(thread.ask("die", "unwritten"), isRefused);
  assert.equal(await thread.ask("write", "three"), 3);
  await thread.close();
  assert.equal(seen.ended, 2);
});

test("[REC-41] [REC-27] it is not started again where the home is not the one that was opened", async (t) => {
  const { thread, seen } = await stage(databasePath(t));
  await assert.rejects(thread.ask("die", "unwritten"), isRefused);
  seen.isGone = true;
  await assert.rejects(thread.ask("write", "one"), isRefused);
  seen.isGone = false;
  assert.equal(await thread.ask("write", "one"), 1);
  await thread.close();
});
