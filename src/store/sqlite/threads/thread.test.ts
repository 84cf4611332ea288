import assert from "node:assert/strict";
import { test } from "node:test";
import { within } from "../../../kit/time/deadline.ts";
import { patience } from "../../../kit/fixtures/patience.ts";
import { databasePath } from "../fixtures/place.ts";
import type { Mortal } from "../fixtures/mortal-thread.ts";
import { Thread } from "./thread.ts";

const stage = async (path: string) => {
  const seen = { ended: 0, isGone: false };
  const { thread } = await Thread.start<Mortal>({
    program: new URL("../fixtures/mortal-thread.ts", import.meta.url),
    opened: { path, watchedPaths: [] },
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

/** A program for a thread: it says what it found, and ends with the first request. */
const finds = (damage: string | null): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from "node:worker_threads";
      parentPort.postMessage({ migrated: [], damage: ${JSON.stringify(damage)} });
      parentPort.once("message", () => process.exit());
    `)}`,
  );

test("[REC-41] damage that is found when a thread opens the database again is told", async () => {
  const told: string[] = [];
  const { thread, damage } = await Thread.start<Mortal>({
    program: finds("a torn page"),
    opened: { path: "", watchedPaths: [] },
    onDamage: (found) => void told.push(found),
  });
  assert.equal(damage, "a torn page");
  await assert.rejects(thread.ask("write", "one"), isRefused);
  assert.deepEqual(told, [], "the first time it is the answer");
  await assert.rejects(thread.ask("write", "two"), isRefused);
  assert.deepEqual(told, ["a torn page"]);
  await thread.close();
});

test("[REC-41] a thread that ends while it is being started is a failure, and nobody waits for it", async () => {
  const starting = Thread.start<Mortal>({
    program: new URL("data:text/javascript,process.exit(0)"),
    opened: { path: "", watchedPaths: [] },
  });
  await assert.rejects(
    within("starting", patience(10_000), starting),
    isRefused,
  );
});
