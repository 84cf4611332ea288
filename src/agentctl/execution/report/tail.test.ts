import assert from "node:assert/strict";
import { appendFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { ReadSize } from "../../base/read-size.ts";
import { Tail, TailSweep } from "./tail.ts";

/** As many lines as are read at a time. */
const LINES = 64;
const PIECE = `${"x".repeat(127)}\n`.repeat(LINES);
const PIECES = 40;

/** A file, and what is read of it: for each time that lines came, how often the loop had gone round by then. */
const followed = async (t: TestContext, hasEnough: () => boolean) => {
  const directory = await mkdtemp(join(tmpdir(), "reprise-tail-"));
  t.after(() => rm(directory, { recursive: true }));
  const path = join(directory, "stdout");
  writeFileSync(path, "");
  const rounds: number[] = [];
  let round = 0;
  let read = 0;
  const all = Promise.withResolvers<void>();
  const reader = {
    lines(lines: readonly unknown[]) {
      rounds.push(round);
      read += lines.length;
      if (read === PIECES * LINES) all.resolve();
    },
    shrunk: () => all.reject(new Error("shrunk")),
    hasEnough,
  };
  const tail = new Tail(path, 0, reader, new TailSweep());
  let turning = true;
  const turn = (): void => {
    round += 1;
    if (turning) setImmediate(turn);
  };
  turn();
  t.after(() => {
    turning = false;
    tail.close();
  });
  return { path, tail, rounds, all: all.promise };
};

test("LNK-45 however many notices come at once, one piece is read per round", async (t) => {
  const one = await followed(t, () => false);
  const other = await followed(t, () => false);
  await new Promise(setImmediate);
  // By turns, because equal notices in a row become one; and all before the first can be heard.
  for (let n = 0; n < PIECES; n += 1)
    for (const { path } of [one, other]) appendFileSync(path, PIECE);
  for (const { all, rounds } of [one, other]) {
    await all;
    assert.equal(new Set(rounds).size, rounds.length);
  }
});

test("LNK-45 while there are lines enough, the next piece waits, for room or a moment", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { path, tail, rounds, all } = await followed(t, () => true);
  for (let n = 0; n < PIECES; n += 1) appendFileSync(path, PIECE);
  for (let n = 0; n < 100; n += 1) await new Promise(setImmediate);
  assert.deepEqual(rounds, []);
  tail.goOn();
  await new Promise(setImmediate);
  assert.equal(rounds.length, 1);
  for (let n = 2; n <= PIECES; n += 1) {
    t.mock.timers.tick(10);
    assert.equal(rounds.length, n);
  }
  await all;
});

test("LNK-45 of long lines more is read at a time than of short ones", () => {
  const size = new ReadSize();
  assert.equal(size.bytes, 8 * 1024);
  // An agent that says little at a time is no reason to read more of one that says much.
  size.learn(200, 1);
  assert.equal(size.bytes, 8 * 1024);
  for (let n = 0; n < 9; n += 1) size.learn(size.bytes, 1);
  assert.equal(size.bytes, 64 * 1024);
  size.learn(size.bytes, 20);
  assert.equal(size.bytes, 64 * 1024);
  size.learn(size.bytes, 100);
  assert.equal(size.bytes, 8 * 1024);
});
