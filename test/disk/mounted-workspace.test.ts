/** A session in whose workspace somebody mounts something. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withBench, type Bench } from "../../src/agentctl/fixtures/bench.ts";
import {
  ask,
  capture,
  inWorkspace,
  treeOf,
} from "../../src/agentctl/fixtures/workspace.ts";
import { judge } from "../../src/checkpoint/fixtures/judge.ts";
import { BindMount, mountTest } from "./bind-mount.ts";

const sceneOf = async (bench: Bench) => {
  const link = await bench.link();
  const order = await inWorkspace(bench);
  const { session_id, cwd } = order;
  const precious = join(bench.home, "precious");
  await mkdir(precious);
  await writeFile(join(precious, "theirs"), "precious");
  await mkdir(join(cwd, "data"));
  await writeFile(join(cwd, "data", "ours"), "first");
  await writeFile(join(cwd, "file"), "first");
  return {
    cwd,
    precious,
    session_id,
    save: () => capture(link, order),
    discard: () => ask(link, "discard", { session_id, worktree: null }),
    diff: (from: string) =>
      ask(link, "diff", { session_id, from, to: { cwd }, text: false }),
    rewind: (tree: string, captured: string) =>
      ask(link, "rewind", {
        session_id,
        cwd,
        tree,
        captured,
        dry_run: false,
        own: null,
        others: [],
      }),
  };
};

mountTest(
  "[CPT-21] [P8] what is mounted in a workspace survives a rewind and its undo, and is told of everywhere",
  () =>
    withBench(async (bench) => {
      const scene = await sceneOf(bench);
      const first = treeOf(await scene.save());
      const was = judge(scene.precious);
      using _ = new BindMount(scene.precious, join(scene.cwd, "data"));
      await writeFile(join(scene.cwd, "file"), "second");
      const second = await scene.save();
      assert.deepEqual(second.left_out, [
        {
          path: "data",
          reason:
            "something is mounted there, which is not part of the workspace",
        },
      ]);
      const unknown = [{ path: "data", reason: "mounted" }];
      const diff = await scene.diff(first);
      assert.deepEqual(diff.changes, [{ path: "file", kind: "modified" }]);
      assert.deepEqual(diff.not_captured, unknown);

      const back = await scene.rewind(first, treeOf(second));
      assert.deepEqual(back.changes, [{ path: "file", kind: "modified" }]);
      assert.deepEqual(back.left_alone, unknown);
      assert.deepEqual(judge(scene.precious), was);
      const undone = await scene.rewind(treeOf(second), first);
      assert.equal(undone.left_alone, undefined);
      assert.deepEqual(judge(scene.precious), was);
      const file = await readFile(join(scene.cwd, "file"), "utf8");
      assert.equal(file, "second");
    }),
);

mountTest(
  "[CPT-22] [P8] a workspace in which something is mounted is not removed",
  () =>
    withBench(async (bench) => {
      const scene = await sceneOf(bench);
      {
        using _ = new BindMount(scene.precious, join(scene.cwd, "data"));
        await assert.rejects(scene.discard(), { code: "workspace_mounted" });
        assert.ok(existsSync(join(scene.cwd, "file")));
        assert.ok(existsSync(join(scene.precious, "theirs")));
      }
      await scene.discard();
      assert.equal(existsSync(scene.cwd), false);
    }),
);
