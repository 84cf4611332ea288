/** What a prune makes of packs that are damaged. */
import assert from "node:assert/strict";
import { copyFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Bench } from "../fixtures/bench.ts";
import { flipByte, noise, packsOf } from "../fixtures/damage.ts";
import { judge } from "../fixtures/judge.ts";
import type { Hash } from "../format/hash.ts";

/** A checkpoint of these files alone, each of noise that others do not have, and the pack that it made. */
const saveOf = async (bench: Bench, files: Record<string, number>) => {
  for (const name of readdirSync(bench.workspace))
    rmSync(join(bench.workspace, name));
  for (const [name, seed] of Object.entries(files))
    writeFileSync(join(bench.workspace, name), noise(200_000, seed));
  const before = new Set(packsOf(bench));
  const { tree } = await bench.save();
  const pack = packsOf(bench).find((each) => !before.has(each)) ?? "";
  return { tree, pack, was: judge(bench.workspace) };
};

/** A vault that was opened a moment ago remembers nothing of what was saved lately. */
const prune = async (bench: Bench, roots: readonly Hash[]) => {
  await bench.reopen();
  return bench.vault.prune(bench.vault.beginPrune(), roots, { dryRun: false });
};

test("[CHK-39] damage in something that is needed keeps its pack, again and again, and holds up nobody else", async () => {
  await using bench = await Bench.make();
  const mixed = await saveOf(bench, { a: 1, b: 2, c: 3, d: 4 });
  const part = await saveOf(bench, { a: 1, b: 2 });
  const other = await saveOf(bench, { e: 5 });
  // Only a quarter of the first pack is alive, and damaged.
  const needed = await saveOf(bench, { a: 1 });
  for (const at of [2000, 210_000, 410_000, 610_000]) flipByte(mixed.pack, at);
  for (const round of [1, 2]) {
    const { removed } = await prune(bench, [needed.tree]);
    assert.equal(removed, round === 1 ? 2 : 0);
    assert.ok(packsOf(bench).includes(mixed.pack));
    assert.ok(!packsOf(bench).includes(other.pack));
  }
  assert.ok(!packsOf(bench).includes(part.pack));
});

test("[CHK-39] what is good is copied out of a damaged pack, and the damage goes with it once it is stored again", async () => {
  await using bench = await Bench.make();
  const { tree, pack, was } = await saveOf(bench, { a: 1, b: 2, c: 3 });
  flipByte(pack, 2000);
  await assert.rejects(bench.restore(tree, bench.place()));
  await bench.save();
  const { removed, kept } = await prune(bench, [tree]);
  assert.deepEqual([removed, kept], [1, 1]);
  await bench.assertIs(tree, was);
  assert.ok(!packsOf(bench).includes(pack));
});

test("[CHK-39] while a directory of a checkpoint cannot be read, nothing is proved dead and nothing is removed", async () => {
  await using bench = await Bench.make();
  const lost = await saveOf(bench, { a: 1 });
  const dead = await saveOf(bench, { b: 2 });
  const needed = await saveOf(bench, { c: 3 });
  flipByte(lost.pack, -60);
  const before = packsOf(bench);
  const held = await prune(bench, [lost.tree, needed.tree]);
  assert.deepEqual(held.unreadable, [lost.tree]);
  assert.deepEqual([held.removed, held.freed_bytes], [0, 0]);
  assert.deepEqual(packsOf(bench), before);
  // Whoever gives the checkpoint up frees the rest.
  const { unreadable, removed } = await prune(bench, [needed.tree]);
  assert.deepEqual([unreadable, removed], [[], 2]);
  assert.ok(!packsOf(bench).includes(dead.pack));
  await bench.assertIs(needed.tree, needed.was);
});

test("[CHK-39] of two copies the good one is kept", async () => {
  await using bench = await Bench.make();
  const { tree, pack, was } = await saveOf(bench, { a: 1, b: 2 });
  const copies = ["0", "f"].map((digit) =>
    join(bench.packs, `${digit.repeat(32)}.pack`),
  );
  for (const copy of copies) copyFileSync(pack, copy);
  rmSync(pack);
  for (const [at, copy] of copies.entries()) flipByte(copy, at ? 2000 : -60);
  await prune(bench, [tree]);
  await bench.assertIs(tree, was);
});
