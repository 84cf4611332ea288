/** ACLs, capabilities and what users put beside a file's content. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Bench } from "../../fixtures/bench.ts";
import { judge } from "../../fixtures/judge.ts";
import { fillLargeWorkspace, fillWorkspace } from "../../fixtures/workspace.ts";
import {
  ACCESS,
  aclOf,
  CAPABILITY,
  DEFAULT,
  netRaw,
  removeXattr,
  setXattr,
  xattrsUnder,
} from "../../fixtures/xattr.ts";

const isRoot = process.getuid?.() === 0;
const shared = aclOf({ owner: 6, user: 6, group: 4, mask: 6, other: 0 });
const inherited = aclOf({ owner: 7, user: 7, group: 5, mask: 7, other: 0 });

/** Attributes on one of everything that can have some. */
const adorn = (root: string): void => {
  const at = (path: string): string => join(root, path);
  execFileSync("mkfifo", [at("pipe")]);
  setXattr(at("README.md"), "user.origin", Buffer.from("https://example"));
  setXattr(at("README.md"), "user.empty", Buffer.alloc(0));
  setXattr(at("big"), "user.checksum", Buffer.from([0, 255, 10, 13]));
  for (const name of ["secret", "src", "pipe"])
    setXattr(at(name), ACCESS, shared);
  setXattr(at("src"), DEFAULT, inherited);
  setXattr(root, "user.root", Buffer.from("too"));
  if (isRoot) setXattr(at("src/main.ts"), CAPABILITY, netRaw());
};

test("[P3] [CHK-41] attributes, ACLs and capabilities come back, in a new place and in place", async () => {
  await using bench = await Bench.make();
  const at = (path: string): string => join(bench.workspace, path);
  fillWorkspace(bench.workspace);
  adorn(bench.workspace);
  const { tree } = await bench.save();
  const [was, had] = [judge(bench.workspace), xattrsUnder(bench.workspace)];
  assert.ok(had.length >= (isRoot ? 9 : 8), had.join("\n"));
  const place = bench.place();
  const { incomplete } = await bench.restore(tree, place);
  assert.deepEqual(incomplete, []);
  assert.deepEqual(xattrsUnder(place), had);
  assert.deepEqual(judge(place), was);
  const there = await bench.save({ root: place, cacheKey: null });
  assert.equal(there.tree, tree);

  // Content, attributes alone, and a directory that is gone.
  writeFileSync(at("README.md"), "changed");
  removeXattr(at("big"), "user.checksum");
  setXattr(at("secret"), ACCESS, inherited);
  setXattr(at("secret"), "user.new", Buffer.from("x"));
  setXattr(at("empty"), DEFAULT, shared);
  rmSync(at("src"), { recursive: true });
  rmSync(at("pipe"));
  await bench.restore(tree);
  assert.deepEqual(xattrsUnder(bench.workspace), had);
  assert.deepEqual(judge(bench.workspace), was);
});

test("[CHK-41] a change of attributes alone is captured, and is a difference", async () => {
  await using bench = await Bench.make();
  const at = (path: string): string => join(bench.workspace, path);
  fillWorkspace(bench.workspace);
  const first = await bench.save();
  for (const path of ["README.md", "src/deep", "big"]) {
    const before = (await bench.save()).tree;
    setXattr(at(path), "user.note", Buffer.from(path));
    const { tree } = await bench.save();
    const changes = await bench.vault.diff(before, tree);
    const told = changes.map(({ path, kind }) => `${kind} ${path}`);
    // The file's other name has it as well.
    const names = path === "README.md" ? [path, "src/README.md"] : [path];
    assert.deepEqual(
      told,
      names.map((name) => `mode ${name}`),
    );
  }
  await bench.reopen();
  const cached = await bench.save();
  const without = await bench.save({ cacheKey: null });
  assert.equal(without.tree, cached.tree);
  await bench.restore(first.tree);
  assert.deepEqual(xattrsUnder(bench.workspace), []);
});

test("[CHK-41] [CHK-28] attributes come back when several threads share the work", async () => {
  await using bench = await Bench.make();
  fillLargeWorkspace(bench.workspace);
  for (const path of ["a/1/1", "a/19/1659", "b/7/7"])
    setXattr(join(bench.workspace, path), "user.path", Buffer.from(path));
  setXattr(join(bench.workspace, "a/3"), DEFAULT, inherited);
  const { tree } = await bench.save();
  const place = bench.place();
  await bench.restore(tree, place);
  assert.deepEqual(xattrsUnder(place), xattrsUnder(bench.workspace));
});

test("[CHK-42] nothing that is restored inherits an ACL from the directory it is made in", async () => {
  await using bench = await Bench.make();
  fillWorkspace(bench.workspace);
  execFileSync("mkfifo", [join(bench.workspace, "pipe")]);
  const { tree } = await bench.save();
  const was = judge(bench.workspace);
  const place = bench.place();
  mkdirSync(place);
  setXattr(place, DEFAULT, inherited);
  // Everything is made in it, and its own ACL is the last thing that goes.
  await bench.restore(tree, place);
  assert.deepEqual(xattrsUnder(place), []);
  assert.deepEqual(judge(place), was);

  // In a directory that keeps its ACL.
  setXattr(join(bench.workspace, "src"), DEFAULT, inherited);
  const kept = (await bench.save()).tree;
  for (const name of ["main.ts", "README.md", "deep"])
    rmSync(join(bench.workspace, "src", name), { recursive: true });
  await bench.restore(kept);
  assert.deepEqual(xattrsUnder(bench.workspace), [
    `src ${DEFAULT}=${inherited.toString("hex")}`,
  ]);
});

test("[CHK-41] a checkpoint of an older release says nothing of attributes, and takes none away", async () => {
  await using bench = await Bench.make();
  const at = (path: string): string => join(bench.workspace, path);
  mkdirSync(at("d"));
  for (const name of ["d/same", "d/other"]) writeFileSync(at(name), "old");
  // As older releases made all of them.
  const tree = await bench.vault.saveFiles(
    ["d/same", "d/other"].map((name) => ({ name, path: at(name) })),
  );
  writeFileSync(at("d/other"), "new");
  setXattr(at("d"), "user.mine", Buffer.from("1"));
  setXattr(at("d/same"), "user.mine", Buffer.from("2"));
  setXattr(at("d/other"), "user.mine", Buffer.from("3"));
  const had = xattrsUnder(bench.workspace);
  await bench.restore(tree);
  assert.equal(readFileSync(at("d/other"), "utf8"), "old");
  assert.deepEqual(xattrsUnder(bench.workspace), had);
});
