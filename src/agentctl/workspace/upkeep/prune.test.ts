import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { withBench } from "../../fixtures/bench.ts";
import { ask, capture, inWorkspace, treeOf } from "../../fixtures/workspace.ts";

test("[CPT-14] what no checkpoint needs is freed, and what was captured meanwhile is kept", () =>
  withBench(async (bench) => {
    let link = await bench.link();
    const order = await inWorkspace(bench);
    const write = () => writeFile(join(order.cwd, "a"), randomBytes(200_000));
    const save = async () => treeOf(await capture(link, order));
    await write();
    const dropped = await save();
    await write();
    const kept = await save();
    // What was captured in the last minutes is always kept: it may not have been told yet.
    await bench.down();
    await bench.up();
    link = await bench.link(2);

    const { mark } = await ask(link, "prune_begin", {});
    await write();
    const meanwhile = await save();
    const trial = await ask(link, "prune_begin", {});
    const dry = { mark: trial.mark, trees: [kept, meanwhile], dry_run: true };
    const would = await ask(link, "prune", dry);
    assert.ok(would.freed_bytes > 190_000, `${would.freed_bytes}`);
    const real = { mark, trees: [kept], dry_run: false };
    const did = await ask(link, "prune", real);
    assert.equal(did.freed_bytes, would.freed_bytes);
    assert.equal(did.kept_bytes, would.kept_bytes);
    await assert.rejects(ask(link, "prune", real), { code: "invalid_params" });

    const { session_id } = order;
    const diff = (from: string, to: string) =>
      ask(link, "diff", { session_id, from, to, text: false });
    assert.equal((await diff(kept, meanwhile)).changes.length, 1);
    await assert.rejects(diff(dropped, kept), { code: "unknown_tree" });
    const use = await ask(link, "disk", {
      sets: [
        { id: "one", trees: [kept] },
        { id: "both", trees: [kept, meanwhile] },
      ],
    });
    const [one = 0, both = 0] = use.sets.map(({ bytes }) => bytes);
    assert.ok(one > 200_000 && one < 210_000 && both > 400_000);
    assert.equal(use.total_bytes, both);
  }));

test("[CPT-14] a session's own directories are removed, and nobody else's", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = await inWorkspace(bench);
    const other = await inWorkspace(bench);
    const { session_id } = order;
    const home = join(bench.home, "agentctl", "homes", session_id);
    await mkdir(home, { recursive: true });
    await link.call("start", order);
    await link.wait(order, "ready");
    const discarded = { session_id, worktree: null };
    await assert.rejects(ask(link, "discard", discarded), {
      code: "predecessor_alive",
    });
    await link.stop(order);
    await ask(link, "discard", discarded);
    await ask(link, "discard", discarded);
    const left = [order.cwd, home, other.cwd].map((path) => existsSync(path));
    assert.deepEqual(left, [false, false, true]);
  }));
