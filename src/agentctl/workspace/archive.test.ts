import assert from "node:assert/strict";
import { readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Memory } from "../../contract/checkpoint.ts";
import { withBench } from "../fixtures/bench.ts";
import { ask, capture, inWorkspace, treeOf } from "../fixtures/workspace.ts";

test("[CPT-13] an exported session goes on in another home, at another path, natively", () =>
  withBench((source) =>
    withBench(async (target) => {
      const file = join(target.home, "session.reprise");
      const link = await source.link();
      const order = await inWorkspace(source);
      await link.call("start", order);
      const { native_session_id } = await link.wait(order, "ready");
      const token = native_session_id ?? "";
      await link.turn(order, "remember key = cucumber");
      await link.turn(order, "write a.txt hello");
      const captured = await capture(link, order, { token });
      await link.stop(order);
      const tree = treeOf(captured);
      const state = captured.agent_state ?? "";
      const journal = join(source.home, "journal");
      await writeFile(journal, "what was said\n");
      const members = [{ name: "journal.ndjson", file: journal }];
      const wanted = { file, trees: [tree, state], members };
      await ask(link, "export", wanted);
      await assert.rejects(ask(link, "export", wanted), {
        code: "file_exists",
      });
      // Nothing of where it came from is left.
      await rm(order.cwd, { recursive: true });
      await rm(join(source.home, "demo"), { recursive: true });
      await rm(join(source.home, "blobs"), { recursive: true });

      const there = await target.link();
      const look = { file, members: join(target.home, "seen"), keep: false };
      const seen = await ask(there, "import", look);
      assert.deepEqual(seen.trees.sort(), [tree, state].sort());
      const packs = join(target.home, "blobs", "packs");
      assert.deepEqual(await readdir(packs), [], "it was only looked at");

      const texts = join(target.home, "texts");
      const told = await ask(there, "import", { file, members: texts });
      assert.deepEqual(told.trees.sort(), [tree, state].sort());
      assert.deepEqual(told.members, ["journal.ndjson"]);
      const text = await readFile(join(texts, "journal.ndjson"), "utf8");
      assert.equal(text, "what was said\n");

      const next = await inWorkspace(target);
      await rm(next.cwd, { recursive: true });
      const memory: Memory = {
        tree: state,
        token,
        cwd: order.cwd,
        renamed: false,
      };
      const cold = {
        ...next,
        open: { kind: "native", token, transcript: null, turns: 2 },
        rebuild: { tree, restore: true, memory },
      } as const;
      await there.call("start", cold);
      const ready = await there.wait(cold, "ready");
      assert.deepEqual([ready.workspace, ready.verified], ["restored", true]);
      assert.match(await there.turn(cold, "recall key"), /cucumber/);
      await there.stop(cold);
    }),
  ));

test("[CPT-13] a file that is damaged, or no archive, is refused and leaves nothing", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = await inWorkspace(bench);
    await writeFile(join(order.cwd, "a.txt"), "hello");
    const tree = treeOf(await capture(link, order));
    const file = join(bench.home, "session.reprise");
    await ask(link, "export", { file, trees: [tree], members: [] });
    const members = join(bench.home, "texts");
    const packs = await readdir(join(bench.home, "blobs", "packs"));
    await truncate(file, 200);
    await assert.rejects(ask(link, "import", { file, members }), {
      code: /^(damaged|unsafe)_archive$/,
    });
    await writeFile(file, "a letter to grandmother");
    await assert.rejects(ask(link, "import", { file, members }), {
      code: /^(damaged|unsafe)_archive$/,
    });
    const nowhere = { file: join(bench.home, "no"), members };
    await assert.rejects(ask(link, "import", nowhere), {
      code: "invalid_params",
    });
    assert.deepEqual(await readdir(join(bench.home, "blobs", "packs")), packs);
    await assert.rejects(readdir(members), { code: "ENOENT" });
  }));
