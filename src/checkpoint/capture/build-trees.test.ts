/** Directories that are made while files in others are still being read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Arena } from "../trees/arena.ts";
import { Trees } from "./build-trees.ts";
import { rootOf, treeOf } from "../packs/objects.ts";
import { Sketch } from "../packs/sink.ts";

/** A root with the directories `a` and `b`, and `a/c`. */
const [ROOT, A, B, C] = [0, 1, 2, 3];
const DIRECTORY = 0o040755;

const directories = (): Arena => {
  const arena = new Arena();
  arena.add(4);
  arena.names = ["", "a", "b", "c"];
  arena.mode.fill(DIRECTORY, 0, 4);
  arena.first.set([A, C]);
  arena.children.set([2, 1]);
  arena.parent.set([ROOT, ROOT, ROOT, A]);
  return arena;
};

const sketch = (): Sketch =>
  new Sketch({ object: () => Promise.reject(new Error("nothing is beneath")) });

const known = (arena: Arena): number[] =>
  [ROOT, A, B, C].filter((row) => arena.isKnown(row));

test("[CHK-10] a directory is made when all that is in it is known, and those above it after it", async () => {
  const arena = directories();
  const sink = sketch();
  const trees = new Trees(arena, sink, () => false);
  trees.expect(C);
  trees.expect(C);
  for (const row of [C, B, A, ROOT]) trees.change(row);
  await trees.make();
  assert.deepEqual(known(arena), [B]);
  trees.settle(C, true);
  await trees.make();
  assert.deepEqual(known(arena), [B]);
  assert.throws(() => trees.root());
  trees.settle(C, false);
  await trees.make();
  assert.deepEqual(known(arena), [ROOT, A, B, C]);

  const { hash } = await rootOf(sink, trees.root());
  const names = await treeOf(sink, hash);
  assert.deepEqual(
    names.map(({ name }) => name),
    ["a", "b"],
  );
  assert.equal(hash, arena.hash(ROOT));
});

test("a directory in which nothing changed is not made, nor is one above it", async () => {
  const arena = directories();
  const trees = new Trees(arena, sketch(), () => false);
  trees.expect(C);
  trees.change(B);
  trees.settle(C, false);
  await trees.make();
  assert.deepEqual(known(arena), [ROOT, B]);
});

test("[CHK-8] what was not made when it was called off is left to the next", async () => {
  const arena = directories();
  for (const row of [ROOT, A, B, C]) arena.setHash(row, "0".repeat(64));
  let isAborted = false;
  const trees = new Trees(arena, sketch(), () => isAborted);
  trees.expect(C);
  trees.change(B);
  await trees.make();
  isAborted = true;
  trees.settle(C, true);
  await trees.make();
  trees.forget();
  assert.deepEqual(known(arena), [B]);
});
