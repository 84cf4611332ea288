/** What a restore touches, and what it does not. */
import assert from "node:assert/strict";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Bench } from "../fixtures/bench.ts";
import { judge } from "../fixtures/judge.ts";
import { fillWorkspace } from "../fixtures/workspace.ts";
import { unsealed } from "./restore-plan.ts";

test("[CHK-18] a plan says what would happen and touches nothing", async () => {
  await using bench = await Bench.make();
  const at = (name: string): string => join(bench.workspace, name);
  fillWorkspace(bench.workspace);
  const { tree } = await bench.save();
  writeFileSync(at("README.md"), "other");
  rmSync(at("src/README.md"));
  writeFileSync(at("new"), "new");
  chmodSync(at("secret"), 0o644);
  rmSync(at("link"));
  mkdirSync(at("link"));
  const before = judge(bench.workspace);
  const plan = await bench.vault.planRestore({
    tree,
    into: bench.workspace,
    cacheKey: "workspace",
  });
  const told = plan.changes
    .filter(({ kind }) => kind !== "time")
    .map(({ path, kind }) => `${kind} ${path}`);
  assert.deepEqual(told, [
    "modified README.md",
    "type link",
    "removed new",
    "mode secret",
    "added src/README.md",
  ]);
  assert.deepEqual(judge(bench.workspace), before);
  const done = await bench.vault.restore(plan);
  assert.deepEqual(done.kept, []);
  assert.equal(done.removed, 1);
  assert.equal(done.created, 1);
  assert.equal(done.replaced, 2);
});

test("[CHK-18] a plan is refused when the place is not what it was", async () => {
  await using bench = await Bench.make();
  const at = (name: string): string => join(bench.workspace, name);
  fillWorkspace(bench.workspace);
  const { tree } = await bench.save();
  writeFileSync(at("README.md"), "changed");
  rmSync(at("secret"));
  const meanwhile: (() => void)[] = [
    () => appendFileSync(at("README.md"), " again"),
    () => writeFileSync(at("secret"), "appeared"),
  ];
  for (const happens of meanwhile) {
    const plan = await bench.vault.planRestore({
      tree,
      into: bench.workspace,
      cacheKey: null,
    });
    happens();
    const now = judge(bench.workspace);
    await assert.rejects(bench.vault.restore(plan), { code: "changed" });
    assert.deepEqual(judge(bench.workspace), now);
  }
});

test("[CHK-33] a file that changed after the plan is not lost, though size and time are what they were", async () => {
  await using bench = await Bench.make();
  const at = (name: string): string => join(bench.workspace, name);
  const large = Buffer.alloc(3_000_000, "l");
  writeFileSync(at("small"), "old");
  writeFileSync(at("large"), "old");
  symlinkSync("old", at("link"));
  const { tree } = await bench.save();
  writeFileSync(at("small"), "now");
  writeFileSync(at("large"), large);
  writeFileSync(at("added"), "now");
  rmSync(at("link"));
  symlinkSync("now", at("link"));
  const rewrite = (name: string, content: string | Buffer): void => {
    const { atime, mtime } = statSync(at(name));
    writeFileSync(at(name), content);
    utimesSync(at(name), atime, mtime);
  };
  const meanwhile: (() => void)[] = [
    () => rewrite("small", "NOW"),
    () => rewrite("added", "NOW"),
    () =>
      rewrite("large", Buffer.concat([large.subarray(1), Buffer.from("L")])),
    () => {
      const { atime, mtime } = lstatSync(at("link"));
      rmSync(at("link"));
      symlinkSync("NOW", at("link"));
      lutimesSync(at("link"), atime, mtime);
    },
  ];
  for (const name of ["small", "added", "large", "link"]) {
    // Times as Node can set them.
    const { atime, mtime } = lstatSync(at(name));
    lutimesSync(at(name), atime, mtime);
  }
  for (const happens of meanwhile) {
    const plan = await bench.vault.planRestore({
      tree,
      into: bench.workspace,
      cacheKey: "workspace",
    });
    happens();
    const now = judge(bench.workspace);
    await assert.rejects(bench.vault.restore(plan), { code: "changed" });
    assert.deepEqual(judge(bench.workspace), now);
  }
  // Planned anew, it is known what is there.
  await bench.restore(tree);
  assert.equal(readFileSync(at("small"), "utf8"), "old");
});

test("[CHK-36] a plan says what the checkpoint that should have it does not have, and tells the steps to no other thread", async () => {
  await using bench = await Bench.make();
  const at = (name: string): string => join(bench.workspace, name);
  writeFileSync(at("changed"), "first");
  writeFileSync(at("again"), "first");
  const first = await bench.save();
  writeFileSync(at("changed"), "second");
  writeFileSync(at("again"), "second");
  const captured = await bench.save();
  writeFileSync(at("again"), "third");
  writeFileSync(at("new"), "new");
  const wish = { into: bench.workspace, cacheKey: "workspace" };
  const plan = await bench.vault.planRestore({
    ...wish,
    tree: first.tree,
    captured: captured.tree,
  });
  assert.deepEqual(plan.uncaptured, ["again", "new"]);
  assert.deepEqual(
    unsealed(plan.sealed).steps.map(({ path }) => path),
    plan.changes.map(({ path }) => path),
  );
  assert.equal("steps" in plan, false);
});

test("[CHK-19] no step goes through a link", async () => {
  await using bench = await Bench.make();
  const at = (name: string): string => join(bench.workspace, name);
  const outside = bench.place();
  mkdirSync(join(outside, "deep"), { recursive: true });
  writeFileSync(join(outside, "main.ts"), "not ours");
  fillWorkspace(bench.workspace);
  const { tree } = await bench.save();
  const was = judge(bench.workspace);

  // A link where a directory was: it is replaced, what it leads to is not touched.
  rmSync(at("src"), { recursive: true });
  symlinkSync(outside, at("src"));
  const there = judge(outside);
  await bench.restore(tree);
  assert.deepEqual(judge(bench.workspace), was);
  assert.deepEqual(judge(outside), there);

  // A link that appears after the plan was made.
  writeFileSync(at("src/main.ts"), "changed");
  const plan = await bench.vault.planRestore({
    tree,
    into: bench.workspace,
    cacheKey: null,
  });
  rmSync(at("src"), { recursive: true });
  symlinkSync(outside, at("src"));
  await assert.rejects(bench.vault.restore(plan), { code: "changed" });
  assert.deepEqual(judge(outside), there);
});

test("[CHK-19] create-only brings back what is missing and leaves the rest as it is", async () => {
  await using bench = await Bench.make();
  const at = (name: string): string => join(bench.workspace, name);
  fillWorkspace(bench.workspace);
  const { tree } = await bench.save();
  writeFileSync(at("README.md"), "mine now");
  writeFileSync(at("mine"), "too");
  rmSync(at("src"), { recursive: true });
  rmSync(at(".git"), { recursive: true });
  writeFileSync(at(".git"), "in the way");
  const plan = await bench.vault.planRestore({
    tree,
    into: bench.workspace,
    cacheKey: null,
    createOnly: true,
  });
  assert.ok(plan.kept.some(({ path }) => path === "README.md"));
  await bench.vault.restore(plan);
  assert.equal(readFileSync(at("README.md"), "utf8"), "mine now");
  assert.equal(readFileSync(at("mine"), "utf8"), "too");
  assert.equal(readFileSync(at(".git"), "utf8"), "in the way");
  assert.equal(readFileSync(at("src/main.ts"), "utf8"), "console.log(1);\n");
});

test("only what is asked for is restored", async () => {
  await using bench = await Bench.make();
  const at = (name: string): string => join(bench.workspace, name);
  fillWorkspace(bench.workspace);
  const { tree } = await bench.save();
  writeFileSync(at("README.md"), "stays");
  writeFileSync(at("src/main.ts"), "goes back");
  writeFileSync(at("src/new"), "goes");
  await bench.restore(tree, bench.workspace, { only: ["src"] });
  assert.equal(readFileSync(at("README.md"), "utf8"), "stays");
  assert.equal(readFileSync(at("src/main.ts"), "utf8"), "console.log(1);\n");
  assert.equal(existsSync(at("src/new")), false);
  // What is above it comes too, as far as it has to.
  rmSync(at("src"), { recursive: true });
  await bench.restore(tree, bench.workspace, { only: ["src/deep/er/run.sh"] });
  assert.deepEqual(readdirSync(at("src")), ["deep"]);
  assert.equal(readFileSync(at("src/deep/er/run.sh"), "utf8"), "#!/bin/sh\n");
});

test("[CHK-12] names of one file are one file again, whichever of them is missing", async () => {
  await using bench = await Bench.make();
  const at = (name: string): string => join(bench.workspace, name);
  mkdirSync(at("d"));
  writeFileSync(at("a"), "shared");
  linkSync(at("a"), at("b"));
  linkSync(at("a"), at("d/c"));
  const { tree } = await bench.save();
  const was = judge(bench.workspace);
  for (const gone of [["a"], ["d/c"], ["a", "b"], ["a", "b", "d/c"]]) {
    for (const name of gone) rmSync(at(name));
    await bench.restore(tree);
    assert.deepEqual(judge(bench.workspace), was);
  }
  const inode = lstatSync(at("a")).ino;
  assert.equal(statSync(at("d/c")).ino, inode);
});

test("a mode is not changed through a name that lies elsewhere", async () => {
  await using bench = await Bench.make();
  const path = join(bench.workspace, "file");
  const elsewhere = join(bench.directory, "elsewhere");
  writeFileSync(path, "shared", { mode: 0o600 });
  const { tree } = await bench.save();
  linkSync(path, elsewhere);
  chmodSync(path, 0o755);
  await bench.restore(tree);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(elsewhere).mode & 0o777, 0o755);
});

test("differences between checkpoints, and to what is there now", async () => {
  await using bench = await Bench.make();
  const at = (name: string): string => join(bench.workspace, name);
  fillWorkspace(bench.workspace);
  const one = await bench.save();
  writeFileSync(at("secret"), "friend");
  mkdirSync(at("more/deep"), { recursive: true });
  writeFileSync(at("more/deep/file"), "x");
  const two = await bench.save();
  const expected = [
    "added more",
    "added more/deep",
    "added more/deep/file",
    "modified secret",
  ];
  const words = (changes: { kind: string; path: string }[]): string[] =>
    changes
      .filter(({ kind }) => kind !== "time")
      .map(({ kind, path }) => `${kind} ${path}`);
  const { vault } = bench;
  assert.deepEqual(words(await vault.diff(one.tree, two.tree)), expected);
  assert.deepEqual(await vault.diff(two.tree, two.tree), []);
  assert.equal((await vault.diff(null, one.tree)).length, 19);
  const workspace = { root: bench.workspace, cacheKey: "workspace" };
  assert.deepEqual(words(await vault.compare(one.tree, workspace)), expected);
  assert.deepEqual(await vault.compare(two.tree, workspace), []);
  const read = await vault.read(one.tree, "secret");
  assert.equal(Buffer.from(read).toString(), "mellon");
  await assert.rejects(vault.read(one.tree, "big", 1000), {
    code: "too_large",
  });
  await assert.rejects(vault.read(one.tree, "no"), { code: "not_found" });
});
