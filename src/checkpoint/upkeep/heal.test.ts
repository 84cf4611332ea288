/** Damage is found once, is not relied on any more, and goes when the same bytes are captured again. */
import assert from "node:assert/strict";
import {
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Bench } from "../fixtures/bench.ts";
import { flipByte, noise, packsOf } from "../fixtures/damage.ts";
import { judge } from "../fixtures/judge.ts";
import { fillWorkspace } from "../fixtures/workspace.ts";

const faults: Record<string, (pack: string) => void> = {
  "a damaged byte": (pack) => flipByte(pack, 200),
  "a damaged header of a block": (pack) => flipByte(pack, 20),
  "nothing but zeros": (pack) =>
    writeFileSync(pack, Buffer.alloc(statSync(pack).size)),
  "a cut": (pack) => truncateSync(pack, statSync(pack).size >> 1),
  "nothing at all": (pack) => truncateSync(pack, 0),
  "no pack": (pack) => rmSync(pack),
};

for (const [what, spoil] of Object.entries(faults))
  for (const restart of [false, true])
    test(`[P3] [CHK-37] ${what}: found by a restore, and the next checkpoint of the same bytes is whole${restart ? ", after a restart too" : ""}`, async () => {
      await using bench = await Bench.make();
      const { tree, was } = await captured(bench);
      for (const pack of packsOf(bench)) spoil(pack);
      await assert.rejects(bench.restore(tree, bench.place()));
      if (restart) await bench.reopen();
      const again = await bench.save();
      assert.equal(again.tree, tree);
      await bench.assertIs(tree, was);
      rmSync(bench.cache, { recursive: true });
      await bench.reopen();
      await bench.assertIs(tree, was);
    });

test("[CHK-17] a damaged header costs one block: those behind it are found, by an index that is made anew too", async () => {
  await using bench = await Bench.make();
  for (const name of ["a", "b", "c", "d"])
    writeFileSync(join(bench.workspace, name), noise(900_000, name.length));
  for (const [at, name] of ["a", "b", "c", "d"].entries())
    writeFileSync(join(bench.workspace, name), noise(900_000, at));
  const { tree } = await bench.save();
  const [pack = ""] = packsOf(bench);
  flipByte(pack, 20);
  rmSync(bench.cache, { recursive: true });
  await bench.reopen();
  const { unsound, incomplete } = await bench.vault.verify(tree);
  assert.equal(incomplete, null);
  assert.ok(unsound.length >= 1 && unsound.length <= 2, `${unsound.length}`);
});

test("[CHK-37] bytes beside the damaged ones of a block are still read", async () => {
  await using bench = await Bench.make();
  writeFileSync(join(bench.workspace, "a"), noise(300_000, 1));
  writeFileSync(join(bench.workspace, "b"), noise(300_000, 2));
  const { tree } = await bench.save();
  const [pack = ""] = packsOf(bench);
  // In the first of the two, which do not compress and lie one after the other.
  flipByte(pack, 1000);
  await bench.reopen();
  const { unsound } = await bench.vault.verify(tree);
  assert.equal(unsound.length, 1);
  const read = ["a", "b"].map((name) => bench.vault.read(tree, name));
  const settled = await Promise.allSettled(read);
  assert.deepEqual(settled.map(({ status }) => status).toSorted(), [
    "fulfilled",
    "rejected",
  ]);
});

test("[CHK-37] a pack that vanishes while the vault is open is noticed by the next checkpoint that looks", async () => {
  await using bench = await Bench.make();
  await captured(bench);
  for (const pack of packsOf(bench)) rmSync(pack);
  writeFileSync(join(bench.workspace, "new"), "so that it looks");
  const { tree } = await bench.save();
  await bench.assertIs(tree, judge(bench.workspace));
  assert.equal(knownDamage(bench).lost_packs.length, 1);
});

test("[CHK-38] of two copies the good one is used, whichever that is", async () => {
  await using bench = await Bench.make();
  const { tree, was } = await captured(bench);
  const [pack = ""] = packsOf(bench);
  const good = readFileSync(pack);
  rmSync(pack);
  // The one that is found first is damaged in its content, the other in its directories; then the other way round.
  const named = (digit: string): string =>
    join(bench.packs, `${digit.repeat(32)}.pack`);
  for (const digits of ["0f", "e1"]) {
    const first = named(digits.slice(0, 1));
    const second = named(digits.slice(1));
    writeFileSync(first, good);
    writeFileSync(second, good);
    flipByte(first, 200);
    flipByte(second, -60);
    rmSync(bench.cache, { recursive: true });
    await bench.reopen();
    await bench.assertIs(tree, was);
    rmSync(first);
    rmSync(second);
  }
});

test("[CHK-37] what is damaged is written down once, and forgotten with its pack", async () => {
  await using bench = await Bench.make();
  const { tree } = await captured(bench);
  const [pack = ""] = packsOf(bench);
  flipByte(pack, 200);
  for (const _ of ["found", "known"])
    await assert.rejects(bench.restore(tree, bench.place()));
  await bench.reopen();
  await assert.rejects(bench.restore(tree, bench.place()));
  assert.equal(knownDamage(bench).places.length, 1);
  assert.ok(bench.warnings.length <= 1, bench.warnings.join());
  await bench.save();
  await bench.reopen();
  const token = bench.vault.beginPrune();
  await bench.vault.prune(token, [tree], { dryRun: false });
  assert.ok(!packsOf(bench).includes(pack));
  assert.deepEqual(knownDamage(bench).places, []);
});

/** A workspace that is captured, so that the packs hold it and the stat cache believes so. */
const captured = async (bench: Bench) => {
  fillWorkspace(bench.workspace);
  writeFileSync(join(bench.workspace, "noise"), noise(300_000));
  await bench.save();
  // What changed a moment before a scan is read again: the second one believes the first.
  const { tree, new_bytes } = await bench.save();
  assert.equal(new_bytes, 0);
  return { tree, was: judge(bench.workspace) };
};

const knownDamage = (bench: Bench) =>
  JSON.parse(readFileSync(bench.site.damage, "utf8"));
