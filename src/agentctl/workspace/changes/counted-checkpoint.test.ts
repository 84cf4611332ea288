import assert from "node:assert/strict";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { withBench } from "../../fixtures/bench.ts";
import { capture, inWorkspace, treeOf } from "../../fixtures/workspace.ts";

test("[CPT-62] a capture tells how many files changed since another one, and how many lines", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = await inWorkspace(bench);
    const at = (name: string) => join(order.cwd, name);
    await writeFile(at("a.txt"), "one\ntwo\nthree\n");
    await writeFile(at("gone.txt"), "x\ny\n");
    await writeFile(at("data"), Buffer.from([0, 1, 2]));
    const first = await capture(link, order);
    assert.equal(first.changes, undefined, "nobody asked");
    const since = treeOf(first);
    const same = await capture(link, order, { since });
    assert.deepEqual(same.changes, { files: 0, added: 0, removed: 0 });

    await writeFile(at("a.txt"), "one\nTWO\nthree\nfour\n");
    await rm(at("gone.txt"));
    await writeFile(at("data"), Buffer.from([0, 1, 3]));
    await mkdir(at("new"));
    await writeFile(at("new/b.txt"), "b\n");
    await symlink("a.txt", at("link"));
    await mkdir(at(".git"));
    await writeFile(at(".git/HEAD"), "ref: refs/heads/main\n");
    const changed = await capture(link, order, { since });
    assert.deepEqual(changed.changes, { files: 5, added: 3, removed: 3 });

    await writeFile(at("large.txt"), "line\n".repeat(100_000));
    const large = await capture(link, order, { since });
    assert.deepEqual(large.changes, { files: 6, added: null, removed: null });

    const lost = await capture(link, order, { since: "0".repeat(64) });
    assert.deepEqual([lost.outcome, lost.changes], ["saved", undefined]);
  }));

test("[CPT-62] in more than a hundred files lines are not counted", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = await inWorkspace(bench);
    const since = treeOf(await capture(link, order));
    for (let n = 0; n < 101; n += 1)
      await writeFile(join(order.cwd, `${n}.txt`), "x\n");
    const many = await capture(link, order, { since });
    assert.deepEqual(many.changes, { files: 101, added: null, removed: null });
    await rm(join(order.cwd, "0.txt"));
    const fewer = await capture(link, order, { since });
    assert.deepEqual(fewer.changes, { files: 100, added: 100, removed: 0 });
  }));
