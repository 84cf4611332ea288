/** Removing what nobody needs, beside those who save. */
import assert from "node:assert/strict";
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Bench } from "../fixtures/bench.ts";
import { judge } from "../fixtures/judge.ts";
import type { Hash } from "../format/hash.ts";

/** A checkpoint of files with these contents alone. */
const saveOf = async (
  bench: Bench,
  files: Record<string, string>,
): Promise<{ tree: Hash; was: Map<string, string> }> => {
  for (const name of readdirSync(bench.workspace))
    rmSync(join(bench.workspace, name));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(bench.workspace, name), content);
  const { tree } = await bench.save();
  return { tree, was: judge(bench.workspace) };
};

/** A vault that was opened a moment ago remembers nothing of what was saved lately. */
const prune = async (bench: Bench, roots: readonly Hash[], dryRun = false) => {
  await bench.reopen();
  return bench.vault.prune(bench.vault.beginPrune(), roots, { dryRun });
};

const long = (seed: string): string => seed.repeat(100_000);

test("[CHK-21] what no checkpoint needs goes, what one needs stays", async () => {
  await using bench = await Bench.make();
  const one = await saveOf(bench, { a: long("a1 "), b: "needed" });
  const two = await saveOf(bench, { a: long("a2 "), b: "needed" });
  const three = await saveOf(bench, { c: "small" });
  const before = readdirSync(bench.packs);

  const wouldFree = await prune(bench, [two.tree, three.tree], true);
  assert.ok(wouldFree.freed_bytes > 0);
  assert.deepEqual(readdirSync(bench.packs), before);

  const pruned = await prune(bench, [two.tree, three.tree]);
  assert.ok(pruned.freed_bytes > 0);
  assert.equal(pruned.removed, 1);
  await bench.assertIs(two.tree, two.was);
  await bench.assertIs(three.tree, three.was);
  await assert.rejects(bench.vault.list(one.tree), { code: "missing" });

  await prune(bench, []);
  assert.deepEqual(readdirSync(bench.packs), []);
});

test("[CHK-21] what was saved since the token, or shortly before, stays without being named", async () => {
  await using bench = await Bench.make();
  const before = await saveOf(bench, { a: "before" });
  const token = bench.vault.beginPrune();
  const since = await saveOf(bench, { b: "since" });
  await bench.vault.prune(token, [], { dryRun: false });
  await bench.assertIs(before.tree, before.was);
  await bench.assertIs(since.tree, since.was);
});

test("[CHK-45] a clock that is set ahead takes nothing away that was saved shortly before", async (t) => {
  await using bench = await Bench.make();
  const { tree, was } = await saveOf(bench, { a: "text" });
  const now = Date.now();
  t.mock.method(Date, "now", () => now + 86_400_000);
  await bench.vault.prune(bench.vault.beginPrune(), [], { dryRun: false });
  await bench.assertIs(tree, was);
});

test("[CHK-22] what a stat cache believes to be stored is looked up after a prune", async () => {
  await using bench = await Bench.make();
  const { tree, was } = await saveOf(bench, { a: long("x "), b: "y" });
  await prune(bench, []);
  const again = await bench.save();
  assert.equal(again.tree, tree);
  assert.ok(again.new_bytes > 0);
  await bench.assertIs(tree, was);
});

test("[CHK-22] saves beside prunes lose nothing", async () => {
  await using bench = await Bench.make();
  const contents = ["one ", "two ", "three "].map(long);
  const live: { tree: Hash; was: Map<string, string> }[] = [];
  const givenUp = new Set<Hash>();
  let saving = true;
  const saves = (async () => {
    for (let round = 0; round < 24; round++) {
      // The same contents come back after their checkpoints were given up.
      const content = contents[round % contents.length] ?? "";
      live.push(await saveOf(bench, { same: content, [`${round}`]: content }));
      if (live.length > 2) givenUp.add(live.shift()?.tree ?? "");
    }
    saving = false;
  })();
  let prunes = 0;
  while (saving) {
    const token = bench.vault.beginPrune();
    // What was saved lately is kept for those who have not told anybody yet. We have.
    for (const tree of givenUp) token.saved.delete(tree);
    const roots = live.map(({ tree }) => tree);
    await bench.vault.prune(token, roots, { dryRun: false });
    prunes += 1;
  }
  await saves;
  assert.ok(prunes > 0);
  for (const { tree, was } of live) await bench.assertIs(tree, was);
});

test("[CHK-21] many small packs become one", async () => {
  await using bench = await Bench.make();
  const trees: Hash[] = [];
  for (let i = 0; i < 34; i++)
    trees.push((await saveOf(bench, { a: `${i}` })).tree);
  const last = { tree: trees.at(-1) ?? "", was: judge(bench.workspace) };
  const { removed } = await prune(bench, trees);
  assert.ok(removed >= 34);
  assert.equal(readdirSync(bench.packs).length, 1);
  for (const tree of trees) {
    const { unsound, incomplete } = await bench.vault.verify(tree);
    assert.deepEqual([unsound, incomplete], [[], null]);
  }
  await bench.assertIs(last.tree, last.was);
});

test("[API-132] a dry run tells to the byte what a prune then does", async () => {
  await using bench = await Bench.make();
  const roots: Hash[] = [];
  for (let i = 0; i < 34; i++) {
    const { tree } = await saveOf(bench, { a: `${i}`, b: long(`b${i} `) });
    if (i % 3 === 0) roots.push(tree);
  }
  const size = () =>
    readdirSync(bench.packs)
      .map((name) => statSync(join(bench.packs, name)).size)
      .reduce((sum, each) => sum + each, 0);
  const before = size();
  const told = await prune(bench, roots, true);
  assert.equal(size(), before);
  const done = await prune(bench, roots);
  assert.deepEqual(told, done);
  assert.equal(done.freed_bytes, before - size());
});

test("usage tells what each set needs, and what they share counts once in all", async () => {
  await using bench = await Bench.make();
  const one = await saveOf(bench, { a: long("a"), shared: long("s") });
  const two = await saveOf(bench, { b: long("b"), shared: long("s") });
  const { per_set, reachable_bytes, stored_bytes } = await bench.vault.usage([
    [one.tree],
    [two.tree],
  ]);
  assert.equal(per_set.length, 2);
  assert.ok(per_set.every((bytes) => bytes > 200_000 && bytes < 201_000));
  assert.ok(reachable_bytes > 300_000 && reachable_bytes < 302_000);
  assert.ok(stored_bytes > 0 && stored_bytes < reachable_bytes);
});
