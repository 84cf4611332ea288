import assert from "node:assert/strict";
import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { withBench } from "../../fixtures/bench.ts";
import {
  ask,
  besideWriter,
  capture,
  inWorkspace,
  treeOf,
} from "../../fixtures/workspace.ts";

test("[CPT-11] a diff names what came, went and changed, and shows text as text", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = await inWorkspace(bench);
    const at = (name: string) => join(order.cwd, name);
    await mkdir(at("old"));
    await writeFile(at("old/gone.txt"), "x\n");
    await writeFile(at("a.txt"), "one\ntwo\n");
    await writeFile(at("data"), Buffer.from([0, 1, 2]));
    await writeFile(at("run.sh"), "true\n");
    const from = treeOf(await capture(link, order));
    await rm(at("old"), { recursive: true });
    await writeFile(at("a.txt"), "one\nTWO\n");
    await writeFile(at("data"), Buffer.from([0, 1, 3]));
    await chmod(at("run.sh"), 0o755);
    await writeFile(at("large.txt"), "line\n".repeat(300_000));
    await mkdir(at("empty"));
    await symlink("a.txt", at("link"));
    await mkdir(at(".git"));
    await writeFile(at(".git/HEAD"), "ref: refs/heads/main\n");

    const { session_id } = order;
    const now = { session_id, from, to: { cwd: order.cwd }, text: true };
    const told = await ask(link, "diff", now);
    assert.deepEqual(told.changes, [
      { path: ".git/HEAD", kind: "added" },
      { path: "a.txt", kind: "modified" },
      { path: "data", kind: "modified" },
      { path: "empty", kind: "added" },
      { path: "large.txt", kind: "added" },
      { path: "link", kind: "added" },
      { path: "old/gone.txt", kind: "removed" },
      { path: "run.sh", kind: "mode" },
    ]);
    assert.equal(
      told.text,
      [
        "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n",
        "Binary files a/data and b/data differ\n",
        "Files /dev/null and b/large.txt differ, and are too large to show\n",
        "--- a/old/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
      ].join(""),
    );
    const to = treeOf(await capture(link, order));
    const trees = { session_id, from, to, text: false };
    assert.deepEqual(await ask(link, "diff", trees), { ...told, text: null });
    const all = await ask(link, "diff", { ...trees, from: null, to: from });
    assert.deepEqual(
      all.changes.map(({ path }) => path),
      ["a.txt", "data", "old/gone.txt", "run.sh"],
    );
  }));

test("[CPT-11] a tree that is not there, and a directory that is not, are refused by name", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const { session_id, cwd } = await inWorkspace(bench);
    const from = "0".repeat(64);
    const order = { session_id, from, to: null, text: false };
    await assert.rejects(ask(link, "diff", order), { code: "unknown_tree" });
    const nowhere = { ...order, from: null, to: { cwd: join(cwd, "no") } };
    await assert.rejects(ask(link, "diff", nowhere), {
      code: "workspace_unreadable",
    });
  }));

test("[CPT-11] a file that somebody keeps writing to is named, whatever came of reading it", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = await inWorkspace(bench);
    const path = join(order.cwd, "a.log");
    // It takes a while to read.
    await writeFile(path, "line\n".repeat(5_000_000));
    const from = treeOf(await capture(link, order));
    await besideWriter(path, async () => {
      const { session_id, cwd } = order;
      const asked = { session_id, from, to: { cwd }, text: false };
      const { changes, not_read = [] } = await ask(link, "diff", asked);
      const named = [...changes.map(({ path }) => path), ...not_read];
      assert.deepEqual(named, ["a.log"]);
    });
  }));
