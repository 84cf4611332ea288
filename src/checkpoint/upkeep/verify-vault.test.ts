/** Reading everything: what is told of damage, and what becomes of it. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Bench } from "../fixtures/bench.ts";
import { flipByte, noise, packsOf } from "../fixtures/damage.ts";
import { judge } from "../fixtures/judge.ts";
import { fillWorkspace } from "../fixtures/workspace.ts";
import type { Hash } from "../format/hash.ts";

const HEAL = { dryRun: false };

const written = (bench: Bench) =>
  JSON.parse(readFileSync(bench.site.damage, "utf8"));

/** Three checkpoints, each with a file of its own. */
const three = async (bench: Bench) => {
  mkdirSync(join(bench.workspace, "deep"));
  const made: { tree: Hash; pack: string; was: Map<string, string> }[] = [];
  for (const seed of [1, 2, 3]) {
    writeFileSync(join(bench.workspace, "deep/noise"), noise(200_000, seed));
    const before = new Set(packsOf(bench));
    const { tree } = await bench.save();
    const pack = packsOf(bench).find((each) => !before.has(each)) ?? "";
    made.push({ tree, pack, was: judge(bench.workspace) });
  }
  return made;
};

test("[CHK-40] everything is read and counted, and nothing is wrong", async () => {
  await using bench = await Bench.make();
  fillWorkspace(bench.workspace);
  const { tree } = await bench.save();
  const { objects } = await bench.vault.verify(tree);
  const verified = await bench.vault.verifyAll([tree], HEAL);
  const size = packsOf(bench).reduce((sum, it) => sum + statSync(it).size, 0);
  assert.deepEqual(verified, {
    packs: 1,
    bytes: size,
    objects,
    damaged: 0,
    places: [],
    broken: [],
  });
  const { places, lost_packs, verified: last } = written(bench);
  assert.deepEqual([places, lost_packs, last.broken_trees], [[], [], 0]);
});

test("[P3] [CHK-40] damage is told by checkpoint and path, and the next capture of the same bytes mends it", async () => {
  await using bench = await Bench.make();
  const [one, two, last] = await three(bench);
  assert.ok(one && two && last);
  // In the content of the second and of the third, and in the directories of the first.
  flipByte(one.pack, -60);
  for (const { pack } of [two, last]) flipByte(pack, 2000);
  const trees = [one.tree, two.tree, last.tree];
  const { packs, damaged, broken } = await bench.vault.verifyAll(trees, HEAL);
  assert.equal(packs, 3);
  assert.ok(damaged >= 3);
  assert.deepEqual(broken, [
    { tree: one.tree, count: 1, paths: ["."] },
    { tree: two.tree, count: 1, paths: ["deep/noise"] },
    { tree: last.tree, count: 1, paths: ["deep/noise"] },
  ]);
  assert.equal(written(bench).verified.broken_trees, 3);

  const { tree, new_bytes } = await bench.save();
  assert.equal(tree, last.tree);
  assert.ok(new_bytes > 200_000);
  await bench.assertIs(tree, last.was);
  const again = await bench.vault.verifyAll(trees, HEAL);
  assert.deepEqual(
    again.broken.map((each) => each.tree),
    [one.tree, two.tree],
  );
});

test("[CHK-40] a dry run tells the same and changes nothing", async () => {
  await using bench = await Bench.make();
  const [, , last] = await three(bench);
  assert.ok(last);
  await bench.save();
  flipByte(last.pack, 2000);
  const dry = await bench.vault.verifyAll([last.tree], { dryRun: true });
  assert.equal(dry.broken.length, 1);
  assert.throws(() => written(bench), { code: "ENOENT" });
  assert.equal((await bench.save()).new_bytes, 0);
  const { broken } = await bench.vault.verifyAll([last.tree], HEAL);
  assert.deepEqual(broken, dry.broken);
});

test("[CHK-40] a pack that was put back as it was is used again", async () => {
  await using bench = await Bench.make();
  const [one] = await three(bench);
  assert.ok(one);
  const good = readFileSync(one.pack);
  flipByte(one.pack, 2000);
  await bench.vault.verifyAll([one.tree], HEAL);
  await assert.rejects(bench.restore(one.tree, bench.place()));
  writeFileSync(one.pack, good);
  const { damaged, broken } = await bench.vault.verifyAll([one.tree], HEAL);
  assert.deepEqual([damaged, broken], [0, []]);
  await bench.assertIs(one.tree, one.was);
});

test("[CHK-40] a pack that is gone is told until all checkpoints are whole again", async () => {
  await using bench = await Bench.make();
  const [one, , last] = await three(bench);
  assert.ok(one && last);
  rmSync(one.pack);
  await bench.reopen();
  const trees = [one.tree, last.tree];
  const { broken } = await bench.vault.verifyAll(trees, HEAL);
  assert.deepEqual(
    broken.map(({ tree }) => tree),
    [one.tree],
  );
  assert.equal(written(bench).lost_packs.length, 1);
  await bench.vault.verifyAll([last.tree], HEAL);
  assert.deepEqual(written(bench).lost_packs, []);
});

test("[CHK-40] checkpoints are saved while everything is read", async () => {
  await using bench = await Bench.make();
  fillWorkspace(bench.workspace);
  await bench.save();
  const { tree } = await bench.save();
  // Whoever reads this one waits until somebody writes to it.
  const endless = join(bench.packs, `${"a".repeat(32)}.pack`);
  execFileSync("mkfifo", [endless]);
  const verifying = bench.vault.verifyAll([tree], { dryRun: true });
  assert.equal((await bench.save()).tree, tree);
  const over = openSync(endless, "r+");
  const { packs } = await verifying;
  closeSync(over);
  assert.equal(packs, 2);
});

test("[CHK-40] it can be called off", async () => {
  await using bench = await Bench.make();
  const [one] = await three(bench);
  assert.ok(one);
  const options = { dryRun: true, signal: AbortSignal.abort() };
  await assert.rejects(bench.vault.verifyAll([one.tree], options), {
    code: "aborted",
  });
});
