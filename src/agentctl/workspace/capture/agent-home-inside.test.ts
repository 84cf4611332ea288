import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { withBench } from "../../fixtures/bench.ts";
import {
  again,
  ask,
  capture,
  inWorkspace,
  treeOf,
} from "../../fixtures/workspace.ts";

test("[CPT-19] an agent's home in the workspace is not touched by a rewind, shown by a diff or taken for a change", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const plain = await inWorkspace(bench);
    const { session_id, cwd } = plain;
    const home = join(cwd, ".claude");
    const env = { ...plain.env, CLAUDE_CONFIG_DIR: home };
    const order = { ...plain, env };
    await writeFile(join(cwd, "a.txt"), "first\n");
    const first = treeOf(await capture(link, order));
    // It is made when the agent first runs, so no checkpoint from before says that it is left out.
    const login = join(home, ".credentials.json");
    await mkdir(home);
    await writeFile(login, "secret\n");

    const later = again(order, {
      rebuild: { tree: first, restore: false, memory: null },
    });
    await link.call("start", later);
    assert.equal((await link.wait(later, "ready")).workspace, "unchanged");
    await link.stop(later);

    await writeFile(join(cwd, "a.txt"), "second\n");
    const changes = [{ path: "a.txt", kind: "modified" }];
    const to = { cwd, env };
    const asked = { session_id, from: first, to, text: true };
    const told = await ask(link, "diff", asked);
    assert.deepEqual(told.changes, changes);
    assert.doesNotMatch(told.text ?? "", /secret/);

    const back = { session_id, cwd, env, tree: first, own: null, others: [] };
    for (const dry_run of [true, false]) {
      const done = await ask(link, "rewind", { ...back, dry_run });
      assert.deepEqual(done.changes, changes);
    }
    assert.equal(await readFile(join(cwd, "a.txt"), "utf8"), "first\n");
    assert.equal(await readFile(login, "utf8"), "secret\n");
  }));
