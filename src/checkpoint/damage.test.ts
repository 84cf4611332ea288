/** What is left when a part of the vault is not what it was. */
import assert from "node:assert/strict";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Bench } from "./fixtures/bench.ts";
import { judge } from "./fixtures/judge.ts";
import { fillWorkspace } from "./fixtures/workspace.ts";

const twoCheckpoints = async (bench: Bench) => {
  fillWorkspace(bench.workspace);
  const first = await bench.save();
  const [firstPack = ""] = readdirSync(bench.packs);
  rmSync(bench.workspace, { recursive: true });
  mkdirSync(bench.workspace);
  writeFileSync(join(bench.workspace, "only"), "in the second");
  const second = await bench.save();
  return { first, second, firstPack, secondWas: judge(bench.workspace) };
};

test("[CHK-16] lost indexes are made anew from the packs", async () => {
  await using bench = await Bench.make();
  fillWorkspace(bench.workspace);
  const { tree } = await bench.save();
  const was = judge(bench.workspace);
  rmSync(join(bench.cache, "index"), { recursive: true });
  await bench.reopen();
  await bench.assertIs(tree, was);
  const [name = ""] = readdirSync(join(bench.cache, "index"));
  writeFileSync(join(bench.cache, "index", name), "damaged");
  await bench.reopen();
  await bench.assertIs(tree, was);
});

test("[CHK-7] [P3] what was in packs that are gone is stored again with the next checkpoint", async () => {
  await using bench = await Bench.make();
  fillWorkspace(bench.workspace);
  await bench.save();
  for (const name of readdirSync(bench.packs)) rmSync(join(bench.packs, name));
  await bench.reopen();
  const { tree } = await bench.save();
  await bench.assertIs(tree, judge(bench.workspace));
  assert.equal(
    readdirSync(join(bench.cache, "index")).length,
    readdirSync(bench.packs).length,
  );
});

test("[CHK-17] a damaged block is found, and other checkpoints do not suffer", async () => {
  await using bench = await Bench.make();
  const { first, second, firstPack, secondWas } = await twoCheckpoints(bench);
  const path = join(bench.packs, firstPack);
  const good = readFileSync(path);
  const bad = Buffer.from(good);
  // In the content of the last block, which holds the directories.
  bad.writeUInt8((good.at(-40) ?? 0) ^ 0xff, good.length - 40);
  writeFileSync(path, bad);
  await bench.reopen();
  const { unsound, incomplete } = await bench.vault.verify(first.tree);
  assert.ok(unsound.length > 0 || incomplete !== null);
  await assert.rejects(bench.restore(first.tree, bench.place()), {
    code: "damaged",
  });
  await bench.assertIs(second.tree, secondWas);
  const sound = await bench.vault.verify(second.tree);
  assert.deepEqual([sound.unsound, sound.incomplete], [[], null]);
});

test("[CHK-17] [CHK-23] of a pack that is cut off, what stands before the cut is used, and it is never removed", async () => {
  await using bench = await Bench.make();
  const { first, second, firstPack, secondWas } = await twoCheckpoints(bench);
  const path = join(bench.packs, firstPack);
  truncateSync(path, readFileSync(path).length - 100);
  rmSync(bench.cache, { recursive: true });
  await bench.reopen();
  await bench.assertIs(second.tree, secondWas);
  await assert.rejects(bench.vault.list(first.tree), { code: "missing" });
  assert.ok(bench.warnings.some((words) => words.includes(firstPack)));
  const token = bench.vault.beginPrune();
  await bench.vault.prune(token, [second.tree], { dryRun: false });
  assert.ok(readdirSync(bench.packs).includes(firstPack));
});

test("[CHK-15] what was never finished is removed when the vault is opened", async () => {
  await using bench = await Bench.make();
  const draft = join(bench.packs, "x.pack.1234.draft");
  writeFileSync(draft, "half of a pack");
  await bench.reopen();
  assert.deepEqual(readdirSync(bench.packs), []);
});
